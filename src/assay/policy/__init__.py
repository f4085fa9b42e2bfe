"""Gates read from YAML, the decision, and the reasons."""
