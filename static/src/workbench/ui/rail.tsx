// The tools of the target in hand, beside the picture: those that are held, then those that are done at once.
import { t } from "../../i18n";
import { type PaintTool, toolWord } from "../keys";
import { PAINTED_KINDS } from "../layers";
import { TOOL_KEYS, commandsOf, heldTools, toolInHand } from "../paint_tools";
import { Icon } from "./icon";
import { withKey } from "./key";
import { type HandsProps as Props, backToPicture } from "./work";

/** A case without anything to paint has no rail; with one, it stays in place, so that the picture never jumps. */
export function hasRail({ work }: Props): boolean {
  return work.state.bench.value?.targets.some(({ kind }) => PAINTED_KINDS.has(kind)) ?? false;
}

export function Rail({ work }: Props) {
  const { state, painting } = work;
  const target = state.target.value;
  if (!hasRail({ work })) return null;
  const held = target === null ? [] : heldTools(target);
  const commands = target === null ? [] : commandsOf(target);
  const inHand = target === null || state.ruling.value ? null : toolInHand(target, state.paintTool.value);
  return (
    <div class="wb-rail" role="group" aria-label={t("Painting")}>
      {held.map((tool) => <RailButton key={tool} work={work} tool={tool} pressed={tool === inHand} onUse={() => { painting.use(tool); }} />)}
      {commands.length > 0 && <hr />}
      {commands.map((command) => <RailButton key={command} work={work} tool={command} onUse={() => { painting.use(command); }} />)}
    </div>
  );
}

interface ButtonProps extends Props {
  readonly tool: PaintTool;
  readonly pressed?: boolean;
  readonly onUse: () => void;
}

function RailButton({ work, tool, pressed, onUse }: ButtonProps) {
  const label = toolWord(tool);
  return (
    <button type="button" class="wb-tool" title={withKey(label, TOOL_KEYS[tool])} aria-pressed={pressed} aria-disabled={work.state.locked.value}
      onClick={(event) => { onUse(); backToPicture(work, event); }}><Icon name={tool} /><span class="visually-hidden">{label}</span><kbd aria-hidden="true">{TOOL_KEYS[tool].replace("Shift + ", "⇧")}</kbd></button>
  );
}
