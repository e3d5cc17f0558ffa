import { useEffect, useState } from 'react'
import { EDIT_DELAY_MS } from './form/use-delayed-edit.ts'

/** Returns `text` debounced, for requests while the user types. `null` requests nothing and changes nothing. */
export function useSettled(text: string | null): string | null {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    if (text === null || text === settled) return
    const timer = setTimeout(() => setSettled(text), EDIT_DELAY_MS)
    return () => clearTimeout(timer)
  }, [text, settled])
  return settled
}
