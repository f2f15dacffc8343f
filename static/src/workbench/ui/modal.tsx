// A native dialog: focus stays inside and returns, Escape closes it unless it must be answered.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface ModalProps {
  readonly title: string;
  readonly onClose: (() => void) | null; // null: it must be answered
  readonly foot: ComponentChildren;
  readonly children: ComponentChildren;
  readonly wide?: boolean;
}

export function Modal({ title, onClose, foot, children, wide = false }: ModalProps) {
  const box = useRef<HTMLDialogElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const finish = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.showModal();
    // Arrow keys scroll what is too long; what is all in sight only waits to be closed.
    if (wide && body.current !== null && body.current.scrollHeight <= body.current.clientHeight) finish.current?.querySelector("button")?.focus();
  }, []);
  const closed = (): void => { if (onClose === null) box.current?.showModal(); else onClose(); };
  return (
    <dialog class={`dialog${wide ? " wb-dialog-wide" : ""}`} ref={box} aria-labelledby="dialog-title" onClose={closed} onCancel={(event) => { if (onClose === null) event.preventDefault(); }}>
      <div class="dialog-head"><h2 id="dialog-title">{title}</h2></div>
      {/* A long list scrolls between its head and its foot, also by the arrow keys. */}
      <div class="dialog-body" ref={body} tabIndex={wide ? 0 : undefined}>{children}</div>
      <div class="dialog-foot" ref={finish}>{foot}</div>
    </dialog>
  );
}
