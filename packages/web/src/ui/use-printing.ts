import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/**
 * The moment at which the page is printed; null on the screen. What paper needs and a screen does not, or needs whole where a
 * screen folds it, is drawn for it. The browser takes the page as it stands when its event has been handled.
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
