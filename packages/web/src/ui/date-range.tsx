import { Button, Popover } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { formatRange } from '../lib/dates.ts'
import styles from './date-range.module.css'

// The calendar is large and most visits never open it.
const DateRangePanel = lazy(() => import('./date-range-panel.tsx').then((file) => ({ default: file.DateRangePanel })))

/** A range of time as a button that opens typed fields, presets and a calendar. ISO instants, half-open. */
export function DateRangePicker(props: {
  start: string
  stop: string
  onChange: (range: { start: string; stop: string }) => void
}) {
  const [isOpen, setOpen] = useState(false)
  const range = { start: new Date(props.start), stop: new Date(props.stop) }
  const text = formatRange(range.start, range.stop)
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus returnFocus withinPortal>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconCalendar size={15} stroke={1.7} aria-hidden="true" />}
          aria-label={`Date range: ${text}`}
          onClick={() => setOpen(!isOpen)}
        >
          {text}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Date range">
        {isOpen && (
          <Suspense fallback={<div className={styles.loading} role="status" aria-label="Loading calendar" />}>
            <DateRangePanel
              range={range}
              onCancel={() => setOpen(false)}
              onApply={({ start, stop }) => {
                setOpen(false)
                props.onChange({ start: start.toISOString(), stop: stop.toISOString() })
              }}
            />
          </Suspense>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}
