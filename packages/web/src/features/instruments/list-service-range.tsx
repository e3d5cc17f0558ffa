import { Button } from '@mantine/core'
import { IconCalendarCog } from '@tabler/icons-react'
import { DateRangePicker } from '../../ui/date-range.tsx'
import type { KeptRange } from '../views/list-state.ts'
import { daysOf, serviceDays, serviceRanges, serviceWords, usualServiceRange } from './list-next-service.ts'
import styles from './list-service-range.module.css'

/**
 * The toggle of the date range, which is about the next service and says so; switched on, the range stands beside it. `now` in
 * milliseconds.
 */
export function ServiceRange(props: { range: KeptRange; now: number; onChange: (range: KeptRange) => void }) {
  const { now, onChange } = props
  const days = serviceDays(props.range)
  const isOn = days !== null
  return (
    <div className={styles.pair} data-on={isOn || undefined}>
      <Button
        variant="default"
        className={styles.toggle}
        aria-pressed={isOn}
        aria-label="Next service date filter"
        title={isOn ? 'Show instruments whenever their next service is' : 'Filter by the date of the next service'}
        leftSection={<IconCalendarCog size={16} stroke={1.7} aria-hidden="true" />}
        onClick={() => onChange(isOn ? { start: null, stop: null } : usualServiceRange(now))}
      >
        Next service
      </Button>
      {days !== null && (
        <DateRangePicker
          name="Next service"
          start={days.start.toISOString()}
          stop={days.stop.toISOString()}
          text={serviceWords(props.range)}
          kind={serviceRanges}
          onChange={({ start, stop }) => onChange(daysOf({ start: new Date(start), stop: new Date(stop) }))}
        />
      )}
    </div>
  )
}
