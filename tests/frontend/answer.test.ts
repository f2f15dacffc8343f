import assert from "node:assert/strict";
import { test } from "node:test";
import { readAnswer, readArchiveAnswer } from "../../static/src/upload/answer";

test("201 accepts the file", () => {
  assert.equal(readAnswer(201, { image: { id: 1 } }).kind, "accepted");
});

test("200 with duplicate says that the image is already there", () => {
  assert.deepEqual(readAnswer(200, { duplicate: true, message: "Same as image 12." }), { kind: "duplicate", reason: "Same as image 12." });
});

test("a refusal carries the server's own sentence", () => {
  const outcome = readAnswer(400, { code: "image.truncated", message: "The file ends early." });

  assert.deepEqual(outcome, { kind: "rejected", reason: "The file ends early." });
});

for (const status of [0, 429, 500, 502, 503, 504]) {
  test(`status ${status} is tried again`, () => {
    assert.equal(readAnswer(status, null).kind, "retry");
  });
}

for (const status of [401, 403, 507]) {
  test(`status ${status} stops the queue, as every other file would meet the same`, () => {
    assert.equal(readAnswer(status, null).kind, "halt");
  });
}

test("a proxy's page that is no JSON still gives a reason", () => {
  const outcome = readAnswer(413, null);

  assert.deepEqual(outcome, { kind: "rejected", reason: "The file is too large." });
});

test("a fault in a field that goes along with every file stops the queue instead of refusing all", () => {
  const outcome = readAnswer(400, { code: "bad_facts", message: "Subject: too long.", field: "subject" });

  assert.deepEqual(outcome, { kind: "halt", reason: "Subject: too long." });
});

test("words about the files that are no longer kept stop the queue too", () => {
  assert.equal(readAnswer(409, { code: "batch_gone", message: "Choose them anew.", field: "batch" }).kind, "halt");
});

test("a fault of the file itself refuses that file alone", () => {
  assert.equal(readAnswer(400, { code: "no_file", message: "Empty.", field: "file" }).kind, "rejected");
});

test("a sign-in page that answers 200 does not count as accepted", () => {
  assert.equal(readAnswer(200, null).kind, "halt");
});

test("an archive is accepted only with the address of its job on this site", () => {
  const bodies = [{ url: "/jobs/x/" }, { url: "//elsewhere.example/" }, {}, null];

  assert.deepEqual(bodies.map((body) => readArchiveAnswer(202, body).kind), ["job", "refused", "refused", "refused"]);
});

test("a refused archive carries the server's sentence", () => {
  const answer = readArchiveAnswer(400, { code: "unsafe_name", message: "A member leaves the archive.", field: "file" });

  assert.deepEqual(answer, { kind: "refused", reason: "A member leaves the archive." });
});
