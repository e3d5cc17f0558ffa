import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useFailureToast } from '../../../ui/overlay/toasts.ts'
import { Chevron } from '../../../ui/text/chevron.tsx'
import { RetryLine } from '../../../ui/text/notice.tsx'
import { instrumentFamiliesQuery } from '../instruments.api.ts'
import { ALL_FAMILIES, type InstrumentFamily } from '../instruments.search.ts'
import styles from './family-tabs.module.css'

/** Pixels that one press of an arrow scrolls: document 2 section 9. */
const SCROLL_STEP = 400

/**
 * Tabs for all instruments and for each family. A strip wider than the screen scrolls by swiping, by its arrow
 * buttons, or by the arrow keys. Enter selects, so that moving past a tab sends no request.
 */
export function FamilyTabs(props: {
  family: InstrumentFamily
  /** Id of the tab panel. */
  panel: string
  onFamily: (family: InstrumentFamily) => void
}) {
  const { family, panel } = props
  const families = useQuery(instrumentFamiliesQuery())
  useFailureToast(families, 'Could not get instrument families')
  const tabs = familyTabs(families.data ?? [], family)
  const strip = useRef<HTMLDivElement>(null)
  const { before, after } = useOverflow(strip, tabs.length)
  const [focused, setFocused] = useState<string | null>(null)
  const inTabOrder = focused ?? family

  useEffect(() => {
    showTab(strip.current, family)
  }, [family, tabs.length])

  function handleKey(key: KeyboardEvent) {
    const place = tabs.indexOf(inTabOrder)
    const next = { ArrowLeft: place - 1, ArrowRight: place + 1, Home: 0, End: tabs.length - 1 }[key.key]
    if (next === undefined) return
    key.preventDefault()
    const name = tabs[(next + tabs.length) % tabs.length]
    if (name === undefined) return
    setFocused(name)
    tabOf(strip.current, name)?.focus({ preventScroll: true })
    showTab(strip.current, name)
  }

  const scroll = (step: 1 | -1) => () => strip.current?.scrollBy({ left: step * SCROLL_STEP })
  return (
    <div className={styles.frame} data-before={before || undefined} data-after={after || undefined}>
      {/* biome-ignore lint/a11y/useSemanticElements: a list of tabs has no element of its own. */}
      <div
        ref={strip}
        className={styles.strip}
        role="tablist"
        aria-label="Instrument families"
        tabIndex={-1}
        onKeyDown={handleKey}
        onBlur={() => setFocused(null)}
      >
        {tabs.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            data-family={name}
            aria-selected={name === family}
            aria-controls={panel}
            tabIndex={name === inTabOrder ? 0 : -1}
            className={styles.tab}
            onFocus={() => setFocused(name)}
            onClick={() => name !== family && props.onFamily(name as InstrumentFamily)}
          >
            {familyLabel(name)}
          </button>
        ))}
      </div>
      {/* The keyboard scrolls the strip by itself; these buttons are for the pointer only. */}
      {before && (
        <button
          type="button"
          tabIndex={-1}
          className={styles.arrow}
          data-to="left"
          aria-label="Earlier families"
          onClick={scroll(-1)}
        >
          <Chevron to="left" size={16} />
        </button>
      )}
      {after && (
        <button
          type="button"
          tabIndex={-1}
          className={styles.arrow}
          data-to="right"
          aria-label="More families"
          onClick={scroll(1)}
        >
          <Chevron to="right" size={16} />
        </button>
      )}
      {families.isError && families.data === undefined && (
        <RetryLine onRetry={() => void families.refetch()}>Could not get instrument families.</RetryLine>
      )}
    </div>
  )
}

function tabOf(strip: HTMLElement | null, family: string): HTMLElement | null {
  return strip?.querySelector<HTMLElement>(`[data-family="${family}"]`) ?? null
}

/** Space beside a tab that was scrolled into view, so that no arrow button covers it. */
const MARGIN = 44

/** Scrolls the strip, never the page. */
function showTab(strip: HTMLElement | null, family: string): void {
  const tab = tabOf(strip, family)
  if (strip === null || tab === null) return
  const first = tab.offsetLeft - MARGIN
  const last = tab.offsetLeft + tab.offsetWidth + MARGIN - strip.clientWidth
  if (strip.scrollLeft > first) strip.scrollLeft = first
  else if (strip.scrollLeft < last) strip.scrollLeft = last
}

/** Reports on which sides content is out of sight. */
function useOverflow(ref: { current: HTMLElement | null }, content: number): { before: boolean; after: boolean } {
  const [hidden, setHidden] = useState({ before: false, after: false })
  useEffect(() => {
    const strip = ref.current
    if (strip === null) return
    function measure() {
      if (strip === null) return
      const before = strip.scrollLeft > 1
      const after = strip.scrollLeft + strip.clientWidth < strip.scrollWidth - 1
      setHidden((known) => (known.before === before && known.after === after ? known : { before, after }))
    }
    measure()
    strip.addEventListener('scroll', measure, { passive: true })
    const observer = new ResizeObserver(measure)
    observer.observe(strip)
    return () => {
      strip.removeEventListener('scroll', measure)
      observer.disconnect()
    }
    // content: more tabs make the strip longer.
  }, [ref, content])
  return hidden
}

/** Returns the label of a family's tab. All but one family use the server's name. */
export function familyLabel(family: string): string {
  return family === 'WAVE 25' ? 'WAVE 25/Xuri' : family
}

/** Returns the tabs: all, then the families. Always includes the selected one, so that it stays visible. */
export function familyTabs(families: readonly string[], chosen: string): string[] {
  const known = families.includes(chosen) || chosen === ALL_FAMILIES ? families : [...families, chosen]
  return [ALL_FAMILIES, ...known]
}
