import { useCallback, useEffect, useState } from 'react'
import { showFailure } from './toasts.ts'

/** How long a copy is confirmed: document 1 section 9. */
const CONFIRMED_MS = 2000

/** Copies texts, and tells for two seconds which one it was, by its name. */
export function useCopied(): { copied: string | null; copy: (name: string, text: string) => Promise<void> } {
  const [last, setLast] = useState<{ name: string; at: number } | null>(null)
  useEffect(() => {
    if (last === null) return undefined
    const timer = setTimeout(() => setLast(null), CONFIRMED_MS)
    return () => clearTimeout(timer)
  }, [last])

  const copy = useCallback(async (name: string, text: string) => {
    try {
      await navigator.clipboard.writeText(text)
      setLast({ name, at: Date.now() })
    } catch {
      // Browsers refuse the clipboard outside https.
      showFailure({
        title: 'Could not copy',
        message: 'Your browser keeps its clipboard closed here. Select the text and copy it by keyboard.',
      })
    }
  }, [])

  return { copied: last?.name ?? null, copy }
}
