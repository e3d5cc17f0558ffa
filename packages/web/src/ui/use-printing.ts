import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/**
 * Returns the time of printing, or null on screen. Components use it to add or expand content for paper. The browser
 * captures the page after its print event has been handled.
 */
export function usePrinting(): Date | null {
  const [printedAt, setPrintedAt] = useState<Date | null>(null)
  useEffect(() => {
    const begin = () => flushSync(() => setPrintedAt(new Date()))
    const end = () => setPrintedAt(null)
    window.addEventListener('beforeprint', begin)
    window.addEventListener('afterprint', end)
    return () => {
      window.removeEventListener('beforeprint', begin)
      window.removeEventListener('afterprint', end)
    }
  }, [])
  return printedAt
}
