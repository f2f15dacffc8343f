// A discussion: what each said when reading, then word by word, without names.
import { t } from "../../i18n";
import type { Target, Voice } from "../../sync/wire";
import { describe } from "../words";
import type { Props } from "./work";

export function Thread({ work }: Props) {
  const bench = work.state.bench.value;
  if (bench?.discussion !== true) return null;
  const voices = bench.voices ?? [];
  const [read, said] = [voices.filter(({ round }) => round === 0), voices.filter(({ round }) => round > 0)];
  const target = bench.targets[0];
  const isOver = (bench.outcome ?? "") !== "";
  const graders = Math.max(1, read.length);
  const round = Math.min(Math.floor(said.length / graders) + 1, bench.rounds ?? 1);
  return (
    <section class="wb-truth wb-thread" aria-labelledby="thread">
      <h2 id="thread">{isOver ? t("Discussion") : t("Others see this differently")}</h2>
      {!isOver && <p class="wb-hint">{t("Round {round} of {rounds}. Keep or change your label, and say why.", { round: String(round), rounds: String(bench.rounds ?? 1) })}</p>}
      <h3>{t("When reading")}</h3>
      <ol>{read.map((voice) => <Line key={voice.who} voice={voice} target={target} />)}</ol>
      {said.length > 0 && <h3>{t("In the discussion")}</h3>}
      {said.length > 0 && <ol>{said.map((voice, place) => <Line key={place} voice={voice} target={target} />)}</ol>}
    </section>
  );
}

/** Signs are reasons too, so they are named. */
function Line({ voice, target }: { readonly voice: Voice; readonly target: Target | undefined }) {
  const isOwn = voice.who === "you";
  const signs = (target?.signs ?? []).filter(({ key }) => voice.content.signs.includes(key)).map(({ name }) => name);
  return (
    <li class={isOwn ? "is-own" : ""}>
      <p><strong>{isOwn ? t("You") : t("Grader {letter}", { letter: voice.who })}</strong> <span>{describe(target, { ...voice.content, signs: [] })}</span></p>
      {signs.length > 0 && <p class="wb-hint">{signs.join(", ")}</p>}
      {voice.reason !== "" && <blockquote>{voice.reason}</blockquote>}
    </li>
  );
}
