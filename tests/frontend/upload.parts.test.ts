import assert from "node:assert/strict";
import { test } from "node:test";
import { Interrupted } from "../../static/src/upload/interrupted";
import { leftWords, Pace, sizeWords } from "../../static/src/upload/pace";
import { PartSender, readPartAnswer, type Carrier, type PartAnswer } from "../../static/src/upload/parts";
import { UploadQueue } from "../../static/src/upload/queue";
import { reportCsv } from "../../static/src/upload/report";

const LOST: PartAnswer = { kind: "retry", reason: "lost" };

/** A server that keeps what it acknowledged; `mishaps` are answered first, one to each request. */
class Server implements Carrier {
  received = 0;
  readonly asked: string[] = [];
  readonly waits: number[] = [];

  constructor(private readonly mishaps: (PartAnswer | "taken but lost")[] = []) {}

  begin(): Promise<PartAnswer> {
    this.asked.push("begin");
    return Promise.resolve(this.mishap(0) ?? this.told());
  }

  part(_key: string, from: number, to: number): Promise<PartAnswer> {
    this.asked.push(`${from}-${to}`);
    const mishap = this.mishap(to);
    if (mishap !== null) return Promise.resolve(mishap);
    if (from !== this.received) return Promise.resolve({ kind: "elsewhere", received: this.received });
    this.received = to;
    return Promise.resolve(this.told());
  }

  wait(ms: number): Promise<void> {
    this.waits.push(ms);
    return Promise.resolve();
  }

  private told(): PartAnswer {
    return { kind: "received", key: "k", received: this.received, partBytes: 10 };
  }

  private mishap(to: number): PartAnswer | null {
    const next = this.mishaps.shift();
    if (next === "taken but lost") {
      this.received = to;
      return LOST;
    }
    return next ?? null;
  }
}

function sender(server: Server, size = 25): PartSender {
  return new PartSender(size, server, () => undefined);
}

test("an archive goes in parts from its first byte to its last", async () => {
  const server = new Server();

  const ended = await sender(server).run();

  assert.deepEqual(ended, { kind: "arrived", key: "k" });
  assert.deepEqual(server.asked, ["begin", "0-10", "10-20", "20-25"]);
});

test("after a page was loaded anew it goes on where the server says it ended", async () => {
  const server = new Server();
  server.received = 20;

  await sender(server).run();

  assert.deepEqual(server.asked, ["begin", "20-25"]);
});

test("a lost connection is waited for longer and longer, and then it goes on", async () => {
  const server = new Server([{ kind: "received", key: "k", received: 0, partBytes: 10 }, LOST, LOST, LOST]);

  const ended = await sender(server).run();

  assert.equal(ended.kind, "arrived");
  assert.deepEqual(server.waits, [1000, 2000, 4000]);
});

test("a part that arrived although its answer was lost is not sent twice", async () => {
  const server = new Server([{ kind: "received", key: "k", received: 0, partBytes: 10 }, "taken but lost"]);

  await sender(server).run();

  assert.deepEqual(server.asked, ["begin", "0-10", "0-10", "10-20", "20-25"]);
});

test("an archive that the server no longer has begins again", async () => {
  const server = new Server([{ kind: "received", key: "k", received: 20, partBytes: 10 }, { kind: "gone" }]);

  await sender(server).run();

  assert.deepEqual(server.asked, ["begin", "20-25", "begin", "0-10", "10-20", "20-25"]);
});

test("a refused archive ends at once with the server's words", async () => {
  const ended = await sender(new Server([{ kind: "refused", reason: "too large" }])).run();

  assert.deepEqual(ended, { kind: "refused", reason: "too large" });
});

test("a server that stays away fails after eight tries, and the next run goes on", async () => {
  const server = new Server([{ kind: "received", key: "k", received: 0, partBytes: 10 }, ...Array<PartAnswer>(8).fill(LOST)]);
  const archive = sender(server);

  const first = await archive.run();
  const second = await archive.run();

  assert.deepEqual([first.kind, second.kind], ["failed", "arrived"]);
});

test("a paused archive sends nothing until it is resumed", async () => {
  const server = new Server();
  const archive = sender(server);
  archive.pause();
  const running = archive.run();
  await new Promise((resolve) => { setTimeout(resolve, 5); });
  assert.deepEqual(server.asked, []);

  archive.resume();

  assert.equal((await running).kind, "arrived");
});

test("being signed out pauses the archive and keeps its place", async () => {
  const server = new Server([{ kind: "received", key: "k", received: 10, partBytes: 10 }, { kind: "halt", reason: "signed out" }]);
  server.received = 10;
  const archive = sender(server);
  const running = archive.run();
  await new Promise((resolve) => { setTimeout(resolve, 5); });
  assert.equal(archive.paused, true);

  archive.resume();

  await running;
  assert.deepEqual(server.asked, ["begin", "10-20", "10-20", "20-25"]);
});

test("the answers of the server are told apart", () => {
  const kinds = [
    readPartAnswer(200, { arrival: "k", received: 5, part_bytes: 10 }),
    readPartAnswer(409, { code: "other_offset", message: "", received: 5 }),
    readPartAnswer(404, { code: "arrival_gone", message: "" }),
    readPartAnswer(400, { code: "part_damaged", message: "damaged" }),
    readPartAnswer(0, null),
    readPartAnswer(503, null),
    readPartAnswer(401, null),
    readPartAnswer(507, null),
    readPartAnswer(413, null),
    readPartAnswer(409, { code: "too_many_arrivals", message: "many", field: "file" }),
    readPartAnswer(200, null),
  ].map(({ kind }) => kind);

  assert.deepEqual(kinds, ["received", "elsewhere", "gone", "retry", "retry", "retry", "halt", "halt", "refused", "refused", "halt"]);
});

test("the time left follows from the last half minute", () => {
  const pace = new Pace();
  pace.note(0, 0);
  assert.equal(pace.secondsLeft(1000, 10, 100), null);

  pace.note(10_000, 20);

  assert.equal(pace.secondsLeft(10_000, 20, 100), 40);
  pace.restart();
  assert.equal(pace.secondsLeft(20_000, 20, 100), null);
});

test("times and sizes are said in words", () => {
  assert.deepEqual([leftWords(20), leftWords(61), leftWords(600), leftWords(7200)], ["less than a minute left", "about 1 minute left", "about 10 minutes left", "about 2 hours left"]);
  assert.deepEqual([sizeWords(0), sizeWords(2_500_000), sizeWords(412_000_000), sizeWords(2_000_000_000)], ["0", "2.5 MB", "412 MB", "2 GB"]);
});

test("a file that would be left out is never sent and stands in the report with its reason", () => {
  const queue = new UploadQueue();
  queue.add([{ name: "a.png", size: 10 }, { name: "=cmd.png", size: 10, fault: "Does not fit, \"at all\"" }]);
  const [file] = queue.start(0);

  queue.settle(file?.id ?? -1, { kind: "accepted" }, 0);

  assert.equal(queue.finished, true);
  assert.deepEqual(queue.bytes(), { sent: 10, total: 10 });
  assert.equal(reportCsv(queue.all()), "file,outcome,reason\r\na.png,added,\r\n'=cmd.png,rejected,\"Does not fit, \"\"at all\"\"\"\r\n");
});

test("a page that went away in the middle remembers how many files were left", () => {
  const kept = new Map<string, string>();
  const memory = { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => { kept.set(key, value); }, removeItem: (key: string) => { kept.delete(key); } };
  new Interrupted(memory, "/a/").remember(12);

  assert.deepEqual([new Interrupted(memory, "/a/").left(), new Interrupted(memory, "/b/").left()], [12, 0]);
  new Interrupted(memory, "/a/").remember(0);
  assert.equal(new Interrupted(memory, "/a/").left(), 0);
});
