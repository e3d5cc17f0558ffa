import { IconCalendar } from '@tabler/icons-react'
import { lazy } from 'react'
import { formatRange, formatWholeRange } from '../../lib/time/dates.ts'
import { Dropdown } from '../overlay/dropdown.tsx'
import type { RangeKind } from './range-kind.ts'

// The calendar is large and most visits never open it.
const loadPanel = () => import('./date-range-panel.tsx')
const DateRangePanel = lazy(() => loadPanel().then((file) => ({ default: file.DateRangePanel })))

/** A range of time as a button that opens typed fields, presets and a calendar. ISO instants, half-open. */
export function DateRangePicker(props: {
  start: string
  stop: string
  /** What it is the range of. */
  name?: string
  /** What stands on the button; the range, as the events area writes it, unless told. */
  text?: string | null
  /** What may be chosen: anything up to today unless told. */
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
      // Days without a time are the same in every zone.
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
