import { useEffect, useEffectEvent } from 'react'

/**
 * Keyboard of the event list: `/` searches, j and k move, Enter and o open, e expands, a assigns to me. Keys typed into
 * a field, with a modifier, or while a dialog or menu is open are left alone; Enter on a focused control as well.
 */
export interface EventKeyActions {
  search: () => void
  move: (step: 1 | -1) => void
  open: () => void
  expand: () => void
  assignToMe: () => void
}

export function useEventKeys(actions: EventKeyActions): void {
  const handleKey = useEffectEvent((key: KeyboardEvent) => {
    if (key.defaultPrevented || key.metaKey || key.ctrlKey || key.altKey || isBusy(key.target)) return
    const { search, move, open, expand, assignToMe } = actions
    const bound: Record<string, () => void> = {
      '/': search,
      j: () => move(1),
      k: () => move(-1),
      o: open,
      e: expand,
      a: assignToMe,
    }
    if (!isControl(key.target)) bound.Enter = open
    const action = bound[key.key]
    if (action === undefined) return
    key.preventDefault()
    action()
  })
  useEffect(() => {
    const listener = (key: KeyboardEvent) => handleKey(key)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}

function isBusy(target: EventTarget | null): boolean {
  if (document.querySelector('[role="dialog"], [role="menu"], [role="listbox"]') !== null) return true
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable="true"]') !== null
}

function isControl(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('a, button') !== null
}
