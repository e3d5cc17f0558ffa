import { IconCalendar } from '@tabler/icons-react'
import { lazy } from 'react'
import { formatRange, formatWholeRange } from '../../lib/time/dates.ts'
import { Dropdown } from '../overlay/dropdown.tsx'
import type { RangeKind } from './range-kind.ts'

// Loaded lazily: the calendar is large and most visits never open it.
const loadPanel = () => import('./date-range-panel.tsx')
const DateRangePanel = lazy(() => loadPanel().then((file) => ({ default: file.DateRangePanel })))

/** A button that opens typed fields, presets and a calendar for a time range. ISO instants, half-open. */
export function DateRangePicker(props: {
  start: string
  stop: string
  /** Name of the range. */
  name?: string
  /** Text on the button; by default the range in the format of the events area. */
  text?: string | null
  /** Allowed ranges; by default anything up to today. */
  kind?: RangeKind
  onChange: (range: { start: string; stop: string }) => void
}) {
  const range = { start: new Date(props.start), stop: new Date(props.stop) }
  const { name = 'Date range' } = props
  const text = props.text ?? formatRange(range.start, range.stop)
  return (
    <Dropdown
      title={name}
      label={`${name}: ${text}`}
      // Days without a time are the same in every time zone.
      tooltip={props.kind?.isByDay ? text : formatWholeRange(range.start, range.stop)}
      icon={<IconCalendar size={15} stroke={1.7} aria-hidden="true" />}
      preload={loadPanel}
      panel={(close) => (
        <DateRangePanel
          range={range}
          kind={props.kind}
          onCancel={close}
          onApply={({ start, stop }) => {
            close()
            props.onChange({ start: start.toISOString(), stop: stop.toISOString() })
          }}
        />
      )}
    >
      {text}
    </Dropdown>
  )
}
