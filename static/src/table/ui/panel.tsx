// The panel beside the picture: the targets, the vote on the one in hand, its readings, and what is decided.
import { t } from "../../i18n";
import { Key } from "../../workbench/ui/key";
import { Adjusting } from "./adjusting";
import { Foot } from "./foot";
import { LabelVote } from "./labels";
import { Readings } from "./readings";
import { Photographs, Targets } from "./targets";
import { Truth } from "./truth";
import { Vote } from "./vote";
import type { Props } from "./work";

export function Panel({ work }: Props) {
  const { state, table } = work;
  const isLabel = table.target.value?.kind === "label";
  return (
    <aside class="wb-panel" id="panel" aria-label={t("Vote and readings")} hidden={!state.panel.value}>
      <div class="wb-scroll tb-scroll" tabIndex={0}>
        <div class="tb-column">
          <Photographs work={work} />
          <Targets work={work} />
          <div class="tb-hand">
            {isLabel ? <LabelVote work={work} /> : <Vote work={work} />}
            <Adjusting work={work} />
          </div>
        </div>
        <div class="tb-column tb-hand">
          <Readings work={work} />
          <Comment work={work} />
          <Truth work={work} />
        </div>
      </div>
      <Foot work={work} />
    </aside>
  );
}

function Comment({ work }: Props) {
  const { table, state, sitting } = work;
  const file = table.file.value;
  if (file?.may_decide !== true) return null;
  const change = (text: string): void => { table.comment.value = text; void sitting.keeping.write(); };
  return (
    <label class="wb-field"><span>{file.signed ? t("Reason for the change (the study is signed off)") : t("Comment, kept with the decision")}<Key cap="C" /></span>
      <textarea class="input" id="comment" rows={1} maxLength={2000} required={file.signed} readOnly={state.locked.value} value={table.comment.value} onInput={(event) => { change(event.currentTarget.value); }} />
    </label>
  );
}
