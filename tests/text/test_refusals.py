import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.text.refusals import classify_refusal, find_refusal

REFUSALS = """
I don't know.
I don’t know the answer to that.
IDK
idk.
I'm sorry, but I cannot answer based on the provided documents.
I am sorry, I can't answer this question with the given context.
The context does not contain information about the population of Paris.
The context doesn't mention who built the tower.
The provided context does not provide any details on this topic.
The documents do not include the requested figure.
The **context** does not specify the year.
There is no information about the treaty in the documents.
There is no information provided about his birthplace.
I could not find any information about this in the search results.
I couldn't find the answer.
Unable to answer.
I am unable to answer this question.
We are unable to determine the answer from the passages.
There is not enough information to answer the question.
Not enough information.
Insufficient information
Unanswerable
Unanswerable.
N/A
n/a
None of the documents mention the price.
None of the provided passages contain the answer.
The passage doesn't say.
The passages do not say when it was founded.
This cannot be determined from the given text.
Cannot be determined.
The answer cannot be determined based on the context.
I apologize, but I couldn't find an answer to your question in the search results.
As an AI I can't help with that.
As an AI language model, I don't have access to real-time data.
Based on the provided context, there is no information about her age.
Unfortunately, the search results do not provide an answer to this question.
Unfortunately, I do not have enough information to answer that.
Sorry, I don't have that information.
The text does not specify the exact date.
The article does not mention his wife.
It is not possible to determine the answer from the provided documents.
The information is not available in the provided context.
The date is not mentioned in the passage.
His age is not specified in the given documents.
I'm not sure.
I have no idea.
No relevant information found.
No information is provided about the cost in the documents.
Your question cannot be answered using the provided sources.
I cannot provide an answer, as the documents lack this information.
The sources you provided do not address this question.
After reviewing the documents, I was unable to find any mention of the merger.
I'm afraid I can't help with that request.
The given passages do not discuss the economy. They only discuss the history of the region.
I do not know. Please consult a doctor.
I’m sorry, I don’t have enough context to answer. Could you provide more details?
Not mentioned in the context.
The retrieved documents are not relevant to the question.
My knowledge base does not contain this information.
Document 2 does not mention the fee [2].
The text says nothing about it.
Based on the documents, it is unclear who won.
Based on the context, the price is not stated.
We don't know.
I cannot answer because the context does not say it.
""".strip().splitlines()

ANSWERS = """
The treaty does not mention slavery but limits trade to 1850.
He said he did not know the answer.
No information was lost in the attack.
The study found no evidence of harm.
Researchers cannot determine the age of the rock precisely.
He apologized and left.
Sorry! is a board game.
The tower is 300 m high.
Gustave Eiffel
No.
No, the tower was built in 1889.
She could not find her keys.
The police had insufficient evidence to convict him.
The company was unable to pay its debts.
He was unable to answer the question in court.
Unknown Pleasures is the debut album of Joy Division.
The Unanswered Question is a work by Charles Ives.
There is no evidence of life on Mars.
There is no cure for the disease.
It is unclear whether dinosaurs had feathers.
The letter never reached him, and nothing is known of its content.
The song "I Don't Know" was released by Ozzy Osbourne.
"I don't know" was his only reply to the judge.
The law does not provide for an appeal.
The constitution does not specify a term limit.
The bill does not include funding for schools.
The machine cannot process images larger than 4 MB.
Users cannot access the page without a password.
The exact number of victims cannot be determined.
Oxygen is not found in the atmosphere of the moon.
The treaty was not mentioned in his speech.
Not all birds can fly.
None of the passengers survived.
None of the players was injured.
The drug is not available in Germany.
Insufficient sleep raises the risk of heart disease.
Limited information about the king survives in the chronicles.
The contract does not cover damage by water.
The witness did not answer.
They do not have access to clean water.
The report of 1995 did not find fraud.
Neither of the brothers married.
The robot says "I cannot do that" in the film.
The results do not support the hypothesis.
The data do not show a link between the two.
Whales cannot breathe under water.
Nothing in the universe travels faster than light.
The error N/A in a sheet means that a value is missing.
The team found no answer to the attack of the visitors.
It does not contain gluten.
Vitamin C does not prevent colds.
The answer is not 42 but 54.
We do not know what dark matter is.
We cannot see dark matter.
""".strip().splitlines()

PARTIAL = [
    "The documents do not say who built it, but they state that it was finished in 1889.",
    "The tower is 300 m high, but the documents do not say who built it.",
    "While the context does not mention the height, it says that the tower opened in 1889.",
    "The context does not mention the price. The tower was built by Gustave Eiffel in 1889.",
    "I don't know who built it. It is 300 m high and stands in Paris.",
]
HEDGED = [
    "I'm not sure, but maybe 1850.",
    "I don't know, perhaps Paris.",
    "I'm not sure, but I think it's Rome.",
]


def test_refusals_are_found():
    missed = [text for text in REFUSALS if classify_refusal(text).state != "refused"]
    recall = 1 - len(missed) / len(REFUSALS)
    assert len(REFUSALS) >= 40
    assert recall >= 0.95, f"recall {recall:.3f} on {len(REFUSALS)}; missed: {missed}"


def test_answers_are_not_taken_for_refusals():
    taken = [text for text in ANSWERS if classify_refusal(text).state == "refused"]
    rate = len(taken) / len(ANSWERS)
    assert len(ANSWERS) >= 40
    assert rate <= 0.05, f"false alarms {rate:.3f} on {len(ANSWERS)}: {taken}"


@pytest.mark.parametrize("text", PARTIAL)
def test_a_refusal_with_an_answer_is_partial(text):
    refusal = classify_refusal(text)
    assert (refusal.state, refusal.partial) == ("answered", True)
    assert refusal.matches


@pytest.mark.parametrize("text", HEDGED)
def test_a_short_hedged_answer_is_undetermined(text):
    refusal = classify_refusal(text)
    assert (refusal.state, refusal.partial) == ("undetermined", True)


@pytest.mark.parametrize("text", ["", "   ", "?!", "Unknown", "None."])
def test_nothing_to_go_by_is_undetermined(text):
    assert classify_refusal(text).state == "undetermined"


@pytest.mark.parametrize("text", ["我不知道。", "Я не знаю.", "Ich weiß es nicht.", "Je ne sais pas."])
def test_other_languages_are_undetermined(text):
    refusal = classify_refusal(text)
    assert refusal.state == "undetermined"
    assert refusal.language is None


def test_matches_are_offsets_into_the_text_as_given():
    text = "Hello!\n\n- The **context** doesn’t   mention it."
    ((start, end),) = classify_refusal(text).matches
    assert text[start:end] == "The **context** doesn’t   mention"


def test_a_fact_is_no_refusal_because_a_refusal_stands_beside_it():
    for text in (
        "The context does not mention Rome; the tower is 900 m high.",
        "The context does not mention the tower, which is 900 m high.",
        "The documents do not say it and the tower is 900 m high.",
    ):
        found = find_refusal(text)
        assert found is not None
        assert "900" in found.rest
        assert classify_refusal(text).state == "answered"


WORDS = [
    "I don't know",
    "the context",
    "does not mention",
    "but",
    "it is 5",
    ".",
    ",",
    "**",
    "’",
    "\ud800",
    "\n\n",
    "- ",
]


@given(st.lists(st.sampled_from(WORDS) | st.text(max_size=5), max_size=12).map(" ".join))
@settings(max_examples=2000, deadline=None)
def test_any_text_is_classified(text):
    refusal = classify_refusal(text)
    assert refusal.state in ("refused", "answered", "undetermined")
    assert all(0 <= start < end <= len(text) for start, end in refusal.matches)
    assert refusal.state != "refused" or refusal.matches
    assert refusal.matches or not refusal.partial
    assert classify_refusal(text) == refusal
