import { ALL_FAMILIES } from '@benchwatch/contract/vocabulary'
import { ActionIcon, Tabs } from '@mantine/core'
import '@mantine/core/styles/Tabs.layer.css'
import { useMergedRef, useScroller } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { familyLabel, useInstrumentTypes } from '../../../lib/instrument-type.ts'
import { useFailureToast } from '../../../ui/overlay/toasts.ts'
import { Chevron } from '../../../ui/text/chevron.tsx'
import { RetryLine } from '../../../ui/text/notice.tsx'
import { instrumentFamiliesQuery } from '../instruments.api.ts'
import styles from './instrument-list.module.css'

/** Pixels that one press of an arrow scrolls: document 2 section 9. */
const SCROLL_STEP = 400

/**
 * Tabs for all instruments and for each family. A strip wider than the screen scrolls by swiping, by its arrow
 * buttons, or by the arrow keys. Enter selects, so that moving past a tab sends no request.
 */
export function FamilyTabs(props: {
  family: string
  /** Id of the tab panel. */
  panel: string
  onFamily: (family: string) => void
}) {
  const { family, panel } = props
  const types = useInstrumentTypes()
  const families = useQuery(instrumentFamiliesQuery())
  useFailureToast(families, 'Could not get instrument families')
  const tabs = familyTabs(families.data ?? [], family)
  const strip = useRef<HTMLDivElement>(null)
  const scroller = useScroller({ draggable: false })
  const ref = useMergedRef(strip, scroller.ref)

  useEffect(() => {
    const tab = strip.current?.querySelector('[aria-selected="true"]')
    tab?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' })
  }, [family, tabs.length])

  // The keyboard scrolls the strip on its own; these buttons are for the pointer only.
  const arrow = (to: 'left' | 'right', label: string) => (
    <ActionIcon
      variant="default"
      size={32}
      tabIndex={-1}
      className={styles.arrow}
      data-to={to}
      aria-label={label}
      onClick={() => strip.current?.scrollBy({ left: to === 'left' ? -SCROLL_STEP : SCROLL_STEP })}
    >
      <Chevron to={to} size={16} />
    </ActionIcon>
  )

  return (
    <Tabs
      value={family}
      onChange={(name) => name !== family && props.onFamily(name ?? ALL_FAMILIES)}
      activateTabWithKeyboard={false}
      classNames={{ root: styles.tabs, list: styles.strip, tab: styles.tab }}
      mod={{ before: scroller.canScrollStart, after: scroller.canScrollEnd }}
    >
      <Tabs.List ref={ref} aria-label="Instrument families">
        {tabs.map((name) => (
          <Tabs.Tab key={name} value={name} aria-controls={panel}>
            {familyLabel(types, name)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {scroller.canScrollStart && arrow('left', 'Earlier families')}
      {scroller.canScrollEnd && arrow('right', 'More families')}
      {families.isError && families.data === undefined && (
        <RetryLine onRetry={() => void families.refetch()}>Could not get instrument families.</RetryLine>
      )}
    </Tabs>
  )
}

/** Returns the tabs: all, then the families. Always includes the selected one, so that it stays visible. */
export function familyTabs(families: readonly string[], chosen: string): string[] {
  const known = families.includes(chosen) || chosen === ALL_FAMILIES ? families : [...families, chosen]
  return [ALL_FAMILIES, ...known]
}
