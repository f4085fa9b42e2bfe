import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.text.checkable import is_checkable, states_something

NOT_CHECKABLE = {
    "pleasantry": ["Sure!", "Hello", "Hello!", "Hi there!", "I hope this helps!",
        "Thank you for your question.", "Of course!",
                   "Certainly!", "You're welcome!", "Great question!", "**Sure!**",
        "I’m sorry for the confusion."],
    "offer": ["Let me know if you have any questions.", "Feel free to ask for more details!",
        "I can help you with that.",
              "If you need more information, please let me know.", "I'd be happy to help."],
    "announcement": ["Here is a summary:", "Based on the context, here are the steps:",
        "Here are three reasons:", "Here's what I found:",
                     "The key points are as follows:", "Below is an overview of the topic.", "In summary:"],
    "disclaimer": ["Please note that I am not a lawyer.", "As an AI, I have no opinions.",
        "I am an AI assistant."],
    "question": ["Who built it?", "What is the height of the Eiffel Tower?",
        "Would you like to know more about Paris?", "Can I help you?",
                 "是吗？", "Is there anything else you would like to know?"],
    "refusal": ["The context does not mention X.", "I don't know.",
        "There is no information about this in the documents.", "N/A"],
    "no words": ["---", "👍", "..."],
}  # fmt: skip
CHECKABLE = [
    "Hello, the tower is 900 m high.",
    "Sure, the tower is in Paris.",
    "Of course, Paris is the capital of France.",
    "Yes.",
    "No.",
    "Absolutely!",
    "Did you know that X was built in 1850?",
    "Did you know that Napoleon built it?",
    "Isn't it true that the tower is red?",
    "The tower is 900 m high, right?",
    "Was Napoleon the builder of the tower?",
    "Based on the passages, the tower is 300 m high.",
    "Here is the tower of Pisa.",
    "Here are the Romans who built it in 1850.",
    "Let me know that the tower is 900 m high.",
    "I hope this helps, since the tower is 900 m high.",
    "Please note that the tower is 900 m high.",
    "Thanks to Gustave Eiffel, the tower stands.",
    "As an AI pioneer, Turing wrote the paper.",
    "The treaty does not mention slavery but limits trade to 1850.",
    "The context does not mention X, but the tower is 900 m high.",
    "The documents do not mention the tower because it fell in 1850.",
    "The context does not mention X, and the context does not mention Y, but the tower is red.",
    "Let me explain: the tower was destroyed by fire.",
    "You can see the tower on the hill.",
    "I can explain that the red tower fell.",
    "Here is an overview of the tower that was built by Napoleon:",
    "How could Napoleon, who killed Josephine, rule?",
    "Can you believe that the tower fell?",
    "We do not know what dark matter is.",
    "We cannot see dark matter.",
    "Please note this is a fake tower.",
    "Paris",
    "1889",
    "It is generally assumed that water is wet.",
    "好。",
]


@pytest.mark.parametrize(
    ("why", "sentence"), [(why, text) for why, texts in NOT_CHECKABLE.items() for text in texts]
)
def test_what_states_nothing(why, sentence):
    checkable, reason = is_checkable(sentence)
    assert not checkable, sentence
    if why not in ("disclaimer", "offer"):
        assert reason == why


@pytest.mark.parametrize("sentence", CHECKABLE)
def test_in_doubt_a_sentence_is_checkable(sentence):
    assert is_checkable(sentence) == (True, "")


@given(
    st.sampled_from(
        [text for texts in NOT_CHECKABLE.values() for text in texts if text[-1].isalpha() or text[-1] in "!."]
    )
)
@settings(max_examples=100, deadline=None)
def test_no_opening_hides_the_fact_behind_it(opening):
    assert is_checkable(opening.rstrip("!.") + ", and the tower is 900 m high.")[0]


@pytest.mark.parametrize(
    "title", ["The tower is 900 m high", "Population: 999 million", "Rome was founded by Romulus."]
)
def test_titles_that_state(title):
    assert states_something(title)


@pytest.mark.parametrize(
    "title", ["History", "1. History of the tower", "How it was built", "Step 3: Result", "Overview"]
)
def test_titles_that_name(title):
    assert not states_something(title)


@given(st.text())
@settings(max_examples=2000, deadline=None)
def test_any_sentence_is_judged(sentence):
    checkable, why = is_checkable(sentence)
    assert checkable != bool(why)
