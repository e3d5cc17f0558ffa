import { DatePicker } from '@mantine/dates'
import '@mantine/dates/styles.layer.css'
import { DropdownFrame } from '../overlay/dropdown-frame.tsx'

/** The calendar of a day field. */
export function DayCalendar(props: {
  anchor: HTMLElement
  title: string
  day: string | null
  min: string | undefined
  max: string | undefined
  onPick: (day: string) => void
  onClose: () => void
}) {
  return (
    <DropdownFrame anchor={props.anchor} title={props.title} align="end" width={undefined} onClose={props.onClose}>
      <DatePicker
        w="fit-content"
        mx="auto"
        minDate={props.min}
        maxDate={props.max}
        defaultDate={props.day ?? props.min}
        value={props.day}
        onChange={(day) => (day === null ? props.onClose() : props.onPick(day))}
      />
    </DropdownFrame>
  )
}
