import { useEffect, useEffectEvent, useRef } from 'react'
import { deviceStore, SHORTCUTS } from '../../lib/storage.ts'

/**
 * Milliseconds after an Escape that closed something within which another one does not leave the screen: users press it
 * twice, or hold it, to be sure that a panel is closed.
 */
const ESCAPE_PAUSE_MS = 600

/** Actions by key name as in `KeyboardEvent.key`: `j`, `/`, `Escape`. */
export type Shortcuts = Readonly<Record<string, () => void>>

/**
 * Single-key shortcuts of a screen. Ignored while typing in a field, with a modifier, and while a dialog or menu is
 * open; Enter also on links, buttons and disclosures. Users of speech input, or who hit keys by accident, can disable
 * them all (WCAG 2.1.4).
 */
export function useShortcuts(shortcuts: Shortcuts, { escapeLeaves = false } = {}): void {
  const escapedAt = useRef(Number.NEGATIVE_INFINITY)
  const handleKey = useEffectEvent((key: KeyboardEvent) => {
    if (key.key === 'Escape' && isPanelOpen()) escapedAt.current = Date.now()
    else if (key.key === 'Escape' && escapeLeaves && Date.now() - escapedAt.current < ESCAPE_PAUSE_MS) return
    const action = shortcuts[key.key]
    if (action === undefined || key.metaKey || key.ctrlKey || key.altKey) return
    // One press acts once: while two messages offer to undo a change, both listen.
    if (key.defaultPrevented) return
    if (isBusy(key.target) || (key.key === 'Enter' && isControl(key.target)) || !areShortcutsOn()) return
    key.preventDefault()
    action()
  })
  useEffect(() => {
    const listener = (key: KeyboardEvent) => handleKey(key)
    // Captured on the window, before any other listener: an Escape that closes a dialog or menu must still find it
    // open, or it would act twice. Dialogs listen there as well and vanish at once with reduced motion.
    window.addEventListener('keydown', listener, { capture: true })
    return () => window.removeEventListener('keydown', listener, { capture: true })
  }, [])
}

export function areShortcutsOn(): boolean {
  return deviceStore.read(SHORTCUTS) !== 'off'
}

/** Stored per browser, not per user: the setting belongs to the keyboard or microphone. */
export function switchShortcuts(isOn: boolean): void {
  if (isOn) deviceStore.remove(SHORTCUTS)
  else deviceStore.write(SHORTCUTS, 'off')
}

/** Returns true if a dialog, menu or list is open. One that is still loading has only its button, which says so. */
export function isPanelOpen(): boolean {
  const panel = '[role="dialog"], [role="menu"], [role="listbox"], [aria-haspopup="dialog"][aria-expanded="true"]'
  return document.querySelector(panel) !== null
}

function isBusy(target: EventTarget | null): boolean {
  if (isPanelOpen()) return true
  const field = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable="true"]'
  return target instanceof HTMLElement && target.closest(field) !== null
}

function isControl(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('a, button, summary') !== null
}
