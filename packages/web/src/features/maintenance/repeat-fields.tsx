import { Box, Button, Group, NativeSelect, Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { DayField } from '../../ui/time/day-field.tsx'
import {
  MOST_EVERY,
  MOST_TIMES,
  monthlyByOf,
  monthlyChoices,
  type Repeat,
  type RepeatUnit,
  type Weekday,
  weekdayNames,
  weekdayOf,
  weekdays,
} from './repeat-rule.ts'

const units: { value: RepeatUnit; label: string }[] = [
  { value: 'never', label: 'Never' },
  { value: 'day', label: 'Daily' },
  { value: 'week', label: 'Weekly' },
  { value: 'month', label: 'Monthly' },
]

const ends: { value: Repeat['ends']; label: string }[] = [
  { value: 'never', label: 'Never' },
  { value: 'until', label: 'On a day' },
  { value: 'times', label: 'After a number of occurrences' },
]

/** Spans both columns of the fields. */
export const WIDE = { gridColumn: '1 / -1' }

/**
 * Fields for how often and until when the window repeats. `firstDay` determines the date or weekday of a monthly
 * repeat.
 */
export function RepeatFields(props: {
  repeat: Repeat
  firstDay: string
  problems: Partial<Record<'unit' | 'every' | 'weekdays' | 'until' | 'times', ReactNode>>
  onChange: (edits: Partial<Repeat>) => void
}) {
  const { repeat, firstDay, problems, onChange } = props
  const { unit } = repeat
  const isDrawn = unit !== 'never' && unit !== 'other'

  function handleUnit(next: RepeatUnit) {
    const needsDay = next === 'week' && repeat.weekdays.length === 0
    onChange({ unit: next, ...(needsDay && { weekdays: [weekdayOf(firstDay)] }) })
  }

  return (
    <>
      <NativeSelect
        style={isDrawn ? undefined : WIDE}
        label="Repeat"
        data={repeat.rule === null ? units : [...units, { value: 'other', label: 'Custom rule' }]}
        value={unit}
        error={problems.unit}
        onChange={({ currentTarget }) => handleUnit(currentTarget.value as RepeatUnit)}
      />
      {isDrawn && (
        <TextInput
          type="number"
          inputMode="numeric"
          min={1}
          max={MOST_EVERY}
          label="Every"
          rightSection={<Text c="dimmed">{repeat.every === 1 ? unit : `${unit}s`}</Text>}
          rightSectionWidth={64}
          value={repeat.every ?? ''}
          error={problems.every}
          onChange={({ currentTarget }) => onChange({ every: numberOf(currentTarget.value) })}
        />
      )}
      {unit === 'week' && (
        <Weekdays
          chosen={repeat.weekdays}
          problem={problems.weekdays}
          onChange={(days) => onChange({ weekdays: days })}
        />
      )}
      {unit === 'month' && (
        <NativeSelect
          style={WIDE}
          label="On"
          data={monthlyChoices(firstDay).map(({ value, label }) => ({ value, label: label.replace(/^on /, '') }))}
          value={monthlyByOf(repeat, firstDay)}
          onChange={({ currentTarget }) => onChange({ monthlyBy: currentTarget.value as Repeat['monthlyBy'] })}
        />
      )}
      {isDrawn && (
        <NativeSelect
          style={repeat.ends === 'never' ? WIDE : undefined}
          label="Ends"
          data={ends}
          value={repeat.ends}
          onChange={({ currentTarget }) => onChange({ ends: currentTarget.value as Repeat['ends'] })}
        />
      )}
      {isDrawn && repeat.ends === 'until' && (
        <DayField
          label="Last day"
          min={firstDay}
          value={repeat.until ?? ''}
          error={problems.until}
          onChange={(day) => onChange({ until: day || null })}
        />
      )}
      {isDrawn && repeat.ends === 'times' && (
        <TextInput
          type="number"
          inputMode="numeric"
          min={1}
          max={MOST_TIMES}
          label="Number of occurrences"
          value={repeat.times ?? ''}
          error={problems.times}
          onChange={({ currentTarget }) => onChange({ times: numberOf(currentTarget.value) })}
        />
      )}
    </>
  )
}

function Weekdays(props: { chosen: readonly Weekday[]; problem: ReactNode; onChange: (days: Weekday[]) => void }) {
  const { chosen, problem, onChange } = props
  return (
    <Box component="fieldset" m={0} p={0} bd={0} miw={0} style={WIDE}>
      <Text component="legend" fw={570} mb={5}>
        On
      </Text>
      <Group gap={4} wrap="nowrap">
        {weekdays.map((day) => (
          <Button
            key={day}
            variant={chosen.includes(day) ? 'light' : 'default'}
            flex={1}
            px={0}
            aria-pressed={chosen.includes(day)}
            title={weekdayNames[day]}
            onClick={() => onChange(weekdays.filter((known) => chosen.includes(known) !== (known === day)))}
          >
            {weekdayNames[day].slice(0, 2)}
          </Button>
        ))}
      </Group>
      {problem !== undefined && (
        <Text size="xs" c="var(--bw-danger)" mt={4}>
          {problem}
        </Text>
      )}
    </Box>
  )
}

/** Returns null if the text is not a number yet. */
function numberOf(text: string): number | null {
  return text === '' || Number.isNaN(Number(text)) ? null : Number(text)
}
