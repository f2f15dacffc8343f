// What the reading page knows, as signals: components read them, actions write them.
import { computed, signal } from "@preact/signals";
import type { Point } from "../core/geometry";
import type { GreyRange } from "../core/grey";
import type { Segment } from "../core/measure";
import type { SaveState } from "../sync/saver";
import type { Target, Warning, Workbench } from "../sync/wire";
import { FIRST_SETTINGS, type PaintSettings } from "../tools/painting";
import { type Adjustments, UNADJUSTED } from "../view/look";
import { type Answers, nameOf, openImages, unanswered } from "./answers";
import type { Area, Layer } from "./layers";
import type { Looks } from "./looks";

export type Dialog =
  | { readonly kind: "keys" }
  | { readonly kind: "flag" }
  | { readonly kind: "sign-in" }
  | { readonly kind: "warnings"; readonly warnings: readonly Warning[] }
  | { readonly kind: "take-back"; readonly assignment: string }
  | null;

/** The pixel under the pointer, with its sample where there is only one. */
export interface Cursor extends Point { readonly grey: number | null }

export interface Toast { readonly text: string; readonly undo: () => void }

const NOTHING_SAVED: SaveState = { waiting: 0, sending: false, offline: false, hold: null, savedAt: null };

export function createState() {
  const bench = signal<Workbench | null>(null);
  const answers = signal<Answers>({});
  const position = signal(1);
  const targetKey = signal("");
  const chosen = signal<readonly number[]>([]);
  const save = signal<SaveState>(NOTHING_SAVED);
  /** The case is being submitted: it stays as it is until it is refused or the next one is there. */
  const leaving = signal(false);
  const target = computed<Target | null>(() => bench.value?.targets.find(({ key }) => key === targetKey.value) ?? null);
  return {
    bench, answers, position, targetKey, target, leaving,
    /** Name of the answer in hand, and the answer. */
    name: computed(() => nameOf(position.value, targetKey.value)),
    content: computed(() => answers.value[nameOf(position.value, targetKey.value)] ?? null),
    image: computed(() => bench.value?.images.find((image) => image.position === position.value) ?? null),
    open: computed(() => (bench.value === null ? [] : openImages(bench.value, answers.value))),
    missing: computed(() => (bench.value === null ? [] : unanswered(bench.value, answers.value))),
    /** Stored answers that cannot be read any more and have not been given anew. */
    damaged: computed(() => (bench.value?.damaged ?? []).filter(({ position: at, target: key }) => answers.value[nameOf(at, key)] === undefined)),
    done: signal<readonly string[]>([]),
    undone: signal<readonly string[]>([]),
    /** What is painted, by the answer's name. */
    areas: signal<Readonly<Record<string, Area>>>({}),
    /** What is true of a practice case as far as it is painted, by the answer's name. */
    truth: signal<ReadonlyMap<string, Layer>>(new Map()),
    /** How each target's marks are shown, by its key; the same in every case. */
    looks: signal<Looks>({}),
    paint: signal<PaintSettings>(FIRST_SETTINGS),
    /** The painting tool in hand; where a target does not offer it, its first one is. */
    paintTool: signal(""),
    /** Numbers of the objects that are chosen, the last one of them is the one in hand. */
    chosen, object: computed(() => chosen.value.at(-1) ?? 0),
    adjustments: signal<Adjustments>(UNADJUSTED),
    hidden: signal(false),
    /** The fellow eye is over the picture. */
    fellow: signal(false),
    crosshair: signal(false),
    ruling: signal(false),
    ruler: signal<Segment | null>(null),
    cursor: signal<Cursor | null>(null),
    /** Of the picture on the stage; null for colour. */
    grey: signal<GreyRange | null>(null),
    scale: signal(1),
    save,
    /** Another tab has the case, or it is submitted: nothing can be answered until it is taken over or taken back. */
    locked: computed(() => leaving.value || save.value.hold?.kind === "held" || bench.value?.state === "submitted"),
    isSubmitted: computed(() => bench.value?.state === "submitted"),
    diskWorks: signal(true),
    /** Why an answer could not be stored, by its name. */
    faults: signal<Readonly<Record<string, string>>>({}),
    /** Said aloud and shown beside the picture for a moment. */
    notice: signal(""),
    dialog: signal<Dialog>(null),
    toast: signal<Toast | null>(null),
    panel: signal(true),
    tab: signal<"answers" | "instructions">("answers"),
    comment: signal(""),
    busy: signal(false),
    pictureFailed: signal(false),
    /** Nothing more to read. */
    finished: signal(false),
    problem: signal(""),
  };
}

export type State = ReturnType<typeof createState>;
