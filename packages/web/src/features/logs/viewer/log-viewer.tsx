import type { ServiceEvent } from '@benchwatch/contract/events'
import type { LogHit } from '@benchwatch/contract/logs'
import { Button, Modal } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useRef, useState } from 'react'
import { eventName } from '../../../lib/screen-name.ts'
import { NativeSelect } from '../../../ui/form/native-select.tsx'
import { SearchBox } from '../../../ui/list/filters/search-box.tsx'
import { DateRangePicker } from '../../../ui/time/date-range.tsx'
import { type LogChoice, SEARCH_LENGTH, writeLog } from '../compare/compare-address.ts'
import { logLabel } from '../log-labels.ts'
import { availableLogsQuery } from '../logs.api.ts'
import { LogReader } from './log-reader.tsx'
import { type EventPlace, type LogWindow, windowOfEvent } from './log-rows.ts'
import styles from './log-viewer.module.css'
import { useEscape } from './use-escape.ts'

/** Pixels that an arrow key scrolls. */
const ARROW_STEP = 60

/** One log of an event's instrument: read around the event, searched, and loaded in both directions. */
export function LogViewer(props: {
  event: ServiceEvent
  place: EventPlace
  log: LogChoice
  onLog: (log: LogChoice) => void
  onClose: () => void
}) {
  const { event, log } = props
  const opening = windowOfEvent(event.logGeneratedAt, props.place)
  const [window, setWindow] = useState<LogWindow>(opening)
  const [search, setSearch] = useState('')
  /** The line shown with its neighbours, instead of the search. */
  const [context, setContext] = useState<LogHit | null>(null)
  const [cameFrom, setCameFrom] = useState<string | null>(null)
  const content = useRef<HTMLDivElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  useEscape(content, props.onClose)

  function lookAt(next: Partial<{ window: LogWindow; search: string }>) {
    setContext(null)
    setCameFrom(null)
    if (next.window !== undefined) setWindow(next.window)
    if (next.search !== undefined) setSearch(next.search)
  }

  /** The pressed button is gone, so focus moves to the lines. */
  function showContext(line: LogHit | null) {
    if (line === null && context !== null) setCameFrom(context._id)
    setContext(line)
    scroller.current?.focus()
  }

  /** Lines can be scrolled from the search box, too. */
  function handleKey(key: KeyboardEvent) {
    const element = scroller.current
    if (!(key.target instanceof HTMLInputElement) || element === null) return
    const page = element.clientHeight * 0.85
    const steps: Record<string, number> = { ArrowUp: -ARROW_STEP, ArrowDown: ARROW_STEP, PageUp: -page, PageDown: page }
    const step = steps[key.key]
    if (step === undefined) return
    key.preventDefault()
    element.scrollTop += step
  }

  const isOpening = search === '' && window.from === opening.from && window.to === opening.to
  return (
    <Modal
      opened
      onClose={props.onClose}
      // Otherwise Escape would close the viewer together with an open calendar.
      closeOnEscape={false}
      returnFocus={false}
      title={<ViewerTitle event={event} log={log} />}
      classNames={{
        inner: styles.inner ?? '',
        content: styles.content ?? '',
        header: styles.header ?? '',
        body: styles.body ?? '',
      }}
    >
      <div ref={content} className={styles.viewer}>
        {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys of the search box in it */}
        <div className={styles.tools} onKeyDown={handleKey}>
          <LogSelect
            installedProductId={event.instrumentInstalledProductId}
            log={log}
            onChange={(next) => {
              lookAt({})
              props.onLog(next)
            }}
          />
          <div className={styles.search}>
            <SearchBox
              label="Search logs"
              keyword={search}
              maxLength={SEARCH_LENGTH}
              // On a phone, the on-screen keyboard would cover the lines.
              isFirst={!matchMedia('(pointer: coarse)').matches}
              onChange={(text) => lookAt({ search: text.trim() })}
            />
          </div>
          <DateRangePicker
            start={window.from}
            stop={window.to}
            onChange={({ start, stop }) => lookAt({ window: { from: start, to: stop } })}
          />
          {context !== null && (
            <Button
              variant="default"
              className={styles.back}
              leftSection={<IconArrowLeft size={15} stroke={1.7} aria-hidden="true" />}
              onClick={() => showContext(null)}
            >
              Back to search
            </Button>
          )}
        </div>
        <LogReader
          // A different log starts with fresh state.
          key={writeLog(log)}
          event={event}
          log={log}
          window={window}
          search={search}
          isOpening={isOpening}
          context={context}
          markedId={context?._id ?? cameFrom}
          onContext={showContext}
          onEvent={() => lookAt({ window: opening })}
          scroller={scroller}
        />
      </div>
    </Modal>
  )
}

function ViewerTitle({ event, log }: { event: ServiceEvent; log: LogChoice }) {
  const name = event.instrumentDefinedSystemName ?? event.instrumentProductDescription
  return (
    <>
      <bdi>{logLabel(log)}</bdi>
      <span className={styles.about}>
        {name !== null && (
          <>
            <bdi>{name}</bdi> ·{' '}
          </>
        )}
        {event.instrumentInstalledProductId} · {eventName(event)}
      </span>
    </>
  )
}

/** Selects another log of the instrument. */
function LogSelect(props: { installedProductId: string; log: LogChoice; onChange: (log: LogChoice) => void }) {
  const { data } = useQuery(availableLogsQuery(props.installedProductId))
  const known = data?.values ?? []
  const shown = writeLog(props.log)
  // An address may name a log that has no lines yet.
  const logs = known.some((log) => writeLog(log) === shown) ? known : [props.log, ...known]
  return (
    <NativeSelect
      className={styles.select}
      aria-label="Log"
      value={shown}
      onChange={({ currentTarget }) => {
        const log = logs.find((other) => writeLog(other) === currentTarget.value)
        if (log !== undefined) props.onChange(log)
      }}
    >
      {logs.map((log) => (
        <option key={writeLog(log)} value={writeLog(log)}>
          {logLabel(log)}
        </option>
      ))}
    </NativeSelect>
  )
}
