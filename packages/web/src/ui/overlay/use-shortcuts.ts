import { useEffect, useEffectEvent } from 'react'
import { deviceStore, SHORTCUTS } from '../../lib/storage.ts'

/** What single keys do, by the key's name as the browser tells it: `j`, `/`, `Escape`. */
export type Shortcuts = Readonly<Record<string, () => void>>

/**
 * Single keys for a whole screen. A key is left alone when it is typed into a field, comes with a modifier, or meets an open
 * dialog or menu; Enter on a link, a button or what unfolds as well. Whoever speaks to their browser, or strikes keys by accident, switches
 * all of them off (WCAG 2.1.4).
 */
export function useShortcuts(shortcuts: Shortcuts): void {
  const handleKey = useEffectEvent((key: KeyboardEvent) => {
    const action = shortcuts[key.key]
    if (action === undefined || key.metaKey || key.ctrlKey || key.altKey) return
    if (isBusy(key.target) || (key.key === 'Enter' && isControl(key.target)) || !areShortcutsOn()) return
    key.preventDefault()
    action()
  })
  useEffect(() => {
    const listener = (key: KeyboardEvent) => handleKey(key)
    // At the window and before anybody else: an Escape that closes a dialog or menu must still find it open here, or it
    // would do two things. Dialogs listen there, too, and are gone at once for whoever wants no motion.
    window.addEventListener('keydown', listener, { capture: true })
    return () => window.removeEventListener('keydown', listener, { capture: true })
  }, [])
}

export function areShortcutsOn(): boolean {
  return deviceStore.read(SHORTCUTS) !== 'off'
}

/** Kept in this browser, whoever signs in: it is the keyboard or the voice in front of it that needs it. */
export function switchShortcuts(isOn: boolean): void {
  if (isOn) deviceStore.remove(SHORTCUTS)
  else deviceStore.write(SHORTCUTS, 'off')
}

function isBusy(target: EventTarget | null): boolean {
  if (document.querySelector('[role="dialog"], [role="menu"], [role="listbox"]') !== null) return true
  const field = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable="true"]'
  return target instanceof HTMLElement && target.closest(field) !== null
}

function isControl(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('a, button, summary') !== null
}
