"""What is done arrives in order and once, or waits for a decision; nothing of it is dropped."""

PROGRAM = """
const { Saving } = await import("/saving.js");
const sent = [];
const states = [];
const answers = argument.answers.slice();
const send = async (batch) => {
  sent.push(batch);
  const answer = answers.shift() ?? { revision: sent.length };
  if ("status" in answer) throw Object.assign(new Error(answer.error), answer);
  return answer;
};
let heard = () => {};
const saving = new Saving({ revision: 7, send, tell: ({ state }) => {
  states.push(state);
  heard(state);
} });
const until = (state) => saving.state === state ? null : new Promise((done) => {
  heard = (found) => found === state && done();
});
const add = (block, more) => saving.add({ changes: [[block, block, "t"]], seconds: 1, ...more });
"""
OTHER_TAB = {"status": 409, "error": "overtaken", "body": {"revision": 12, "labels": "oo"}}


def run(modules, body, *answers):
    end = "return { sent, states, unsaved: saving.unsaved, state: saving.state,"
    end += " message: saving.message, revision: saving.revision };"
    return modules(PROGRAM + body + end, {"answers": list(answers)})


def blocks(batch):
    return [first for first, _, _ in batch["changes"]]


def test_what_is_done_together_is_sent_together(modules):
    found = run(
        modules, "add(1); add(2, { state: 'done' }); await until('saved');", {"revision": 9}
    )
    (batch,) = found["sent"]
    assert (batch["base"], batch["state"], batch["seconds"]) == (7, "done", 2)
    assert blocks(batch) == [1, 2]
    assert found["revision"] == 9
    assert found["states"] == ["waiting", "waiting", "saving", "saved"]


def test_the_next_batch_waits_for_the_answer_to_the_last(modules):
    body = "add(1); const all = saving.flush(); await until('saving'); add(2); add(3); await all;"
    found = run(modules, body, {"revision": 8}, {"revision": 9})
    assert [(batch["base"], blocks(batch)) for batch in found["sent"]] == [(7, [1]), (8, [2, 3])]
    assert found["sent"][0]["key"] != found["sent"][1]["key"]


def test_a_batch_without_an_answer_is_sent_again_as_it_was(modules):
    found = run(
        modules, "add(1); await until('failed'); add(2); await until('saved');",
        {"status": 0, "error": "no answer"}, {"status": 503, "error": "busy"},
    )  # fmt: skip
    first, second, third, rest = found["sent"]
    assert first == second == third
    assert blocks(rest) == [2]
    assert not found["unsaved"]


def test_while_it_fails_the_changes_are_kept(modules):
    failed = {"status": 0, "error": "no answer"}
    found = run(modules, "add(1); await until('failed'); add(2);", failed)
    assert found["state"] == "failed"
    assert [first for first, _, _ in found["unsaved"]] == [1, 2]


def test_a_conflict_keeps_the_click_until_it_is_decided(modules):
    found = run(
        modules, "add(1); await until('conflict'); add(2); await saving.flush();", OTHER_TAB
    )
    assert found["state"] == "conflict"
    assert [first for first, _, _ in found["unsaved"]] == [1, 2]
    assert len(found["sent"]) == 1


def test_both_are_kept_on_top_of_the_other_revision(modules):
    body = "add(1); await until('conflict'); add(2); await saving.resume(saving.theirs.revision);"
    found = run(modules, body, OTHER_TAB, {"revision": 13}, {"revision": 14})
    assert [(batch["base"], blocks(batch)) for batch in found["sent"][1:]] == [(12, [1]), (13, [2])]
    assert found["state"] == "saved"


def test_what_is_given_up_is_not_sent(modules):
    body = "add(1); await until('conflict'); saving.abandon(); await saving.resume(12); add(5);"
    found = run(modules, body + "await saving.flush();", OTHER_TAB)
    assert [blocks(batch) for batch in found["sent"]] == [[1], [5]]
    assert found["sent"][1]["base"] == 12


def test_a_refusal_is_told_and_not_repeated(modules):
    refused = {"status": 403, "error": "the token is old"}
    found = run(modules, "add(1); await until('refused'); await saving.flush();", refused)
    assert (found["state"], found["message"]) == ("refused", "the token is old")
    assert len(found["sent"]) == 1
    assert found["unsaved"]
