import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { type ChosenSpan, readSpan, type Span, spanOf, writeSpan } from './timeline-span.ts'

/** A span that is being moved is asked for once it has rested for so long. */
const REST_MS = 250

interface Moved {
  span: Span
  /** Of the address that it was moved from. */
  from: string
}

/**
 * The span of the time line. The address holds it as `span`; while somebody zooms or moves, `span` is already what the
 * address will say. `settled` is what to ask the server for.
 */
export function useTimelineSpan(now: number): {
  chosen: ChosenSpan
  span: Span
  settled: Span
  /** A step of its own: the back button leads to the one before. */
  choose: (chosen: ChosenSpan) => void
  /** A step among many, such as a turn of the wheel. */
  move: (span: Span) => void
} {
  const { span: text }: Record<string, unknown> = useSearch({ strict: false })
  const address = typeof text === 'string' ? text : ''
  const navigate = useNavigate()
  const [ahead, setAhead] = useState<Moved | null>(null)
  const isAhead = ahead !== null && ahead.from === address
  const chosen = readSpan(address)
  const settled = spanOf(chosen, now)

  const write = (next: ChosenSpan, replace: boolean) =>
    void navigate({
      to: '.',
      search: (known: Record<string, unknown>) => ({ ...known, span: writeSpan(next) }),
      replace,
      resetScroll: false,
    })
  const settle = useEffectEvent((span: Span) => write(span, true))
  useEffect(() => {
    if (!isAhead) return
    const timer = setTimeout(() => settle(ahead.span), REST_MS)
    return () => clearTimeout(timer)
  }, [ahead, isAhead])

  return {
    chosen: isAhead ? ahead.span : chosen,
    span: isAhead ? ahead.span : settled,
    settled,
    choose: (next) => {
      setAhead(null)
      write(next, false)
    },
    move: (span) => setAhead({ span, from: address }),
  }
}
