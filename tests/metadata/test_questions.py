"""Questions and answers that pages declare."""

import json

from hypothesis import given
from hypothesis import strategies as st

from victor.metadata.questions import Answer, Question, questions
from victor.page.parsing.events import record
from victor.page.parsing.heads import Head


def questions_of(*things):
    return questions(Head(json_ld=tuple(map(json.dumps, things))), b"")


def asked(name, *texts):
    answers = [{"@type": "Answer", "text": text} for text in texts]
    return {"@type": "Question", "name": name, "acceptedAnswer": answers}


def plain(name, *texts):
    answers = tuple(Answer(text, None, None, None, accepted=True) for text in texts)
    return Question(name, "", None, None, None, answers, "json-ld")


def test_an_faq():
    page = {"@type": "FAQPage", "mainEntity": [
        asked("Do bees <b>sleep</b>?", "<p>They do.</p><p>At night &amp; by day.</p>"),
        asked("Where?", "In the hive."),
    ]}  # fmt: skip
    assert questions_of(page) == (
        plain("Do bees sleep?", "They do.\nAt night & by day."),
        plain("Where?", "In the hive."),
    )


def test_a_question_with_answers_of_readers():
    question = {
        "@type": "Question",
        "name": "Bees at night?",
        "text": "Mine are out.",
        "upvoteCount": 7,
        "dateCreated": "2023-05-06T10:00:00Z",
        "author": {"@type": "Person", "name": "Ann"},
        "suggestedAnswer": {"@type": "Answer", "text": "No.", "upvoteCount": "-2"},
        "acceptedAnswer": {
            "@type": "Answer",
            "text": "It is warm.",
            "author": "Bo",
            "upvoteCount": "12",
            "datePublished": "6 May 2023",
        },
    }
    answers = (
        Answer("It is warm.", "Bo", "2023-05-06", 12, accepted=True),
        Answer("No.", None, None, -2, accepted=False),
    )
    date = "2023-05-06T10:00:00+00:00"
    expected = Question("Bees at night?", "Mine are out.", "Ann", date, 7, answers, "json-ld")
    assert questions_of({"@type": "QAPage", "mainEntity": question}) == (expected,)


def test_answers_may_be_referred_to_and_are_given_once():
    answer = {"@id": "#a", "@type": "Answer", "text": "Yes."}
    first = {"@type": "Question", "name": "One?", "acceptedAnswer": {"@id": "#a"}}
    found = questions_of([first, {**first, "name": "Two?"}, answer])
    assert found == (plain("One?", "Yes."), plain("Two?"))


def test_what_is_no_question():
    assert questions_of({"@type": "FAQPage", "mainEntity": []}) == ()
    assert questions_of({"@type": "Question", "acceptedAnswer": {"text": "Yes."}}) == ()


def test_how_much_is_read():
    assert len(questions_of([asked(f"Is it {n}?", "Yes.") for n in range(1_100)])) == 1_000
    many = questions_of(asked("Is it?", *["Yes."] * 700), asked("And now?", *["No."] * 700))
    assert [len(question.answers) for question in many] == [700, 300]


MICRODATA = b"""<main itemscope itemtype=https://schema.org/FAQPage>
<section itemprop=mainEntity itemscope itemtype=https://schema.org/Question>
<h2 itemprop=name>Do bees sleep?</h2><div itemprop=acceptedAnswer itemscope
itemtype=https://schema.org/Answer><div itemprop=text><p>They do.<p>At night.</div></div></section>
</main>"""


def test_an_faq_of_microdata():
    (question,) = questions(record([MICRODATA]).heads[0], MICRODATA)
    assert (question.name, question.source) == ("Do bees sleep?", "microdata")
    assert [answer.text for answer in question.answers] == ["They do.\nAt night."]


VALUES = st.recursive(
    st.none() | st.integers() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["@type", "@id", "text", "name"]), inner)
    ),
    max_leaves=12,
)


@given(VALUES)
def test_any_json_gives_questions_with_words(value):
    keys = ("name", "text", "author", "dateCreated", "upvoteCount", "acceptedAnswer")
    for question in questions_of({"@type": "Question"} | dict.fromkeys(keys, value)):
        assert question.name or question.text
        assert all(answer.text for answer in question.answers)
