"""Changes arrive in order and once, or wait for a decision; none is dropped."""

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
let onState = () => {};
const saving = new Saving({ revision: 7, send, onState: ({ state }) => {
  states.push(state);
  onState(state);
} });
const until = (state) => saving.state === state ? null : new Promise((done) => {
  onState = (current) => current === state && done();
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


def test_changes_made_together_are_sent_together(modules):
    result = run(
        modules, "add(1); add(2, { state: 'done' }); await until('saved');", {"revision": 9}
    )
    (batch,) = result["sent"]
    assert (batch["base"], batch["state"], batch["seconds"]) == (7, "done", 2)
    assert blocks(batch) == [1, 2]
    assert result["revision"] == 9
    assert result["states"] == ["waiting", "waiting", "saving", "saved"]


def test_the_next_batch_waits_for_the_answer_to_the_last(modules):
    body = "add(1); const all = saving.flush(); await until('saving'); add(2); add(3); await all;"
    result = run(modules, body, {"revision": 8}, {"revision": 9})
    assert [(batch["base"], blocks(batch)) for batch in result["sent"]] == [(7, [1]), (8, [2, 3])]
    assert result["sent"][0]["key"] != result["sent"][1]["key"]


def test_a_batch_without_an_answer_is_sent_again_as_it_was(modules):
    result = run(
        modules, "add(1); await until('failed'); add(2); await until('saved');",
        {"status": 0, "error": "no answer"}, {"status": 503, "error": "busy"},
    )  # fmt: skip
    first, second, third, rest = result["sent"]
    assert first == second == third
    assert blocks(rest) == [2]
    assert not result["unsaved"]


def test_changes_are_kept_while_sending_fails(modules):
    failed = {"status": 0, "error": "no answer"}
    result = run(modules, "add(1); await until('failed'); add(2);", failed)
    assert result["state"] == "failed"
    assert [first for first, _, _ in result["unsaved"]] == [1, 2]


def test_a_conflict_keeps_the_click_until_it_is_decided(modules):
    result = run(
        modules, "add(1); await until('conflict'); add(2); await saving.flush();", OTHER_TAB
    )
    assert result["state"] == "conflict"
    assert [first for first, _, _ in result["unsaved"]] == [1, 2]
    assert len(result["sent"]) == 1


def test_both_are_kept_on_top_of_the_other_revision(modules):
    body = "add(1); await until('conflict'); add(2); await saving.resume(saving.theirs.revision);"
    result = run(modules, body, OTHER_TAB, {"revision": 13}, {"revision": 14})
    both = [(batch["base"], blocks(batch)) for batch in result["sent"][1:]]
    assert both == [(12, [1]), (13, [2])]
    assert result["state"] == "saved"


def test_abandoned_changes_are_not_sent(modules):
    body = "add(1); await until('conflict'); saving.abandon(); await saving.resume(12); add(5);"
    result = run(modules, body + "await saving.flush();", OTHER_TAB)
    assert [blocks(batch) for batch in result["sent"]] == [[1], [5]]
    assert result["sent"][1]["base"] == 12


def test_a_refused_batch_is_reported_and_not_sent_again(modules):
    refused = {"status": 403, "error": "the token is old"}
    result = run(modules, "add(1); await until('refused'); await saving.flush();", refused)
    assert (result["state"], result["message"]) == ("refused", "the token is old")
    assert len(result["sent"]) == 1
    assert result["unsaved"]
