import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { lazy, useRef, useState } from 'react'
import { calendarDay, dayBegins, isCalendarDay } from '../../lib/time/dates.ts'
import { parseTypedDate, writeTypedDay } from '../../lib/time/typed-dates.ts'
import { LazyPart } from '../layout/lazy-part.tsx'

// Loaded lazily: the calendar is large, and most people type the day or leave it.
const DayCalendar = lazy(() => import('./day-calendar.tsx').then((file) => ({ default: file.DayCalendar })))

interface DayFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'min' | 'max' | 'type'> {
  label: string
  /** YYYY-MM-DD; empty for no day. */
  value: string
  /** Gets YYYY-MM-DD, or the text as it was typed if it names no day, so that validation can refuse it. */
  onChange: (value: string) => void
  /** The days that the calendar offers. Typed days can lie outside, so validation must check them too. */
  min?: string
  max?: string
}

/** A calendar day, typed in any usual form or picked from a calendar. */
export function DayField({ value, onChange, min, max, onBlur, ...field }: DayFieldProps) {
  // The text while somebody types; afterwards the day is written in the usual form.
  const [typed, setTyped] = useState<string | null>(null)
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const day = isCalendarDay(value) ? value : null

  function close() {
    setOpen(false)
    button.current?.focus()
  }

  return (
    <>
      <TextInput
        {...field}
        autoComplete="off"
        spellCheck={false}
        value={typed ?? (day === null ? value : writeTypedDay(dayBegins(day)))}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value)
          const date = parseTypedDate(currentTarget.value)
          onChange(date === null ? currentTarget.value.trim() : calendarDay(date))
        }}
        onBlur={(event) => {
          setTyped(null)
          onBlur?.(event)
        }}
        rightSection={
          <ActionIcon
            ref={button}
            aria-label={`Choose ${field.label.toLowerCase()}`}
            aria-haspopup="dialog"
            aria-expanded={isOpen}
            onClick={() => (isOpen ? close() : setOpen(true))}
          >
            <IconCalendar size={15} stroke={1.7} aria-hidden="true" />
          </ActionIcon>
        }
      />
      {isOpen && button.current !== null && (
        <LazyPart onFailure={close} fallback={null}>
          <DayCalendar
            anchor={button.current}
            title={field.label}
            day={day}
            min={min}
            max={max}
            onPick={(picked) => {
              close()
              onChange(picked)
            }}
            onClose={close}
          />
        </LazyPart>
      )}
    </>
  )
}
