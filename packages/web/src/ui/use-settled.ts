import { useEffect, useState } from 'react'
import { EDIT_DELAY_MS } from './form/use-delayed-edit.ts'

/** The last text that stood for a pause, for what is asked while a person types. `null` asks for nothing and changes nothing. */
export function useSettled(text: string | null): string | null {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    if (text === null || text === settled) return
    const timer = setTimeout(() => setSettled(text), EDIT_DELAY_MS)
    return () => clearTimeout(timer)
  }, [text, settled])
  return settled
}
