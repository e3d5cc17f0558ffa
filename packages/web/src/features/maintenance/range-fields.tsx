import { Box, Button, Group, NativeSelect, Paper, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { DatePicker } from '@mantine/dates'
import '@mantine/dates/styles.layer.css'
import type { Maintenance } from '@benchwatch/contract/instruments/maintenance'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError } from '../../lib/http.ts'
import { formatTooltipTime } from '../../lib/time/dates.ts'
import { isKnownZone, viewerZone, wallTime } from '../../lib/time/zone-clock.ts'
import { Switch } from '../../ui/form/switch.tsx'
import { RetryLine } from '../../ui/text/notice.tsx'
import { DayField } from '../../ui/time/day-field.tsx'
import { maintenancePreviewQuery, type RecurringWindow } from './maintenance.api.ts'
import styles from './maintenance-dialog.module.css'
import {
  type FormContext,
  firstWindow,
  formProblems,
  type MaintenanceForm,
  scheduleOf,
  withDays,
} from './maintenance-form.ts'
import { formSentence, windowLabel } from './maintenance-labels.ts'
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

/** The days, times, time zone and repeat of a maintenance, with a preview below. */
export function RangeFields(props: {
  form: MaintenanceForm
  context: FormContext
  siteZone: string
  refused: Readonly<Record<string, ReactNode>>
  onChange: (edits: Partial<MaintenanceForm>) => void
}) {
  const { form, context, refused, onChange } = props
  const today = wallTime(context.now, form.zone).day
  const problems = formProblems(form, context)
  const rangeProblem = problems.range ?? refused['start'] ?? refused['end']
  return (
    <Group align="flex-start" gap="16px 22px">
      {/* As wide as the calendar, whatever the text. */}
      <Stack gap={8} w={{ base: '100%', md: 'min-content' }}>
        <Paper
          withBorder
          radius={8}
          p={{ base: 4, md: 8 }}
          className={styles.calendar}
          role="group"
          aria-label="Maintenance days"
          data-invalid={rangeProblem !== undefined || undefined}
        >
          <DatePicker
            type="range"
            allowSingleDateInRange
            minDate={today}
            defaultDate={form.firstDay ?? today}
            value={[form.firstDay, form.lastDay]}
            onChange={([firstDay, lastDay]) => onChange(withDays(form, { firstDay, lastDay }))}
          />
        </Paper>
        {rangeProblem !== undefined && (
          <Text c="var(--bw-danger)" role="alert">
            {rangeProblem}
          </Text>
        )}
      </Stack>
      <SimpleGrid flex="1 1 300px" cols={2} spacing={12}>
        <Box style={WIDE}>
          <Switch
            label="Whole days"
            isOn={form.isAllDay}
            hint={
              form.isAllDay
                ? 'Starts now if the first day is today. Includes the last day.'
                : 'Starts and ends at the times below.'
            }
            onChange={(isAllDay) => onChange({ isAllDay })}
          />
        </Box>
        {!form.isAllDay && (
          <>
            <TextInput
              type="time"
              label="From"
              value={form.startTime}
              onChange={({ currentTarget }) => onChange({ startTime: currentTarget.value })}
            />
            <TextInput
              type="time"
              label="To"
              value={form.endTime}
              onChange={({ currentTarget }) => onChange({ endTime: currentTarget.value })}
            />
          </>
        )}
        <NativeSelect
          style={WIDE}
          label="Time zone"
          data={zoneChoices(form.zone, props.siteZone)}
          value={form.zone}
          error={refused['timeZone']}
          onChange={({ currentTarget }) => onChange({ zone: currentTarget.value })}
        />
        <RepeatFields
          repeat={form.repeat}
          firstDay={form.firstDay ?? today}
          problems={{ ...problems, ...(refused['rrule'] !== undefined && { unit: refused['rrule'] }) }}
          onChange={(edits) => onChange({ repeat: { ...form.repeat, ...edits } })}
        />
      </SimpleGrid>
      <WindowPreview form={form} context={context} />
    </Group>
  )
}

/** Returns the viewer's zone, the instrument's, and the zone chosen by a user elsewhere. */
function zoneChoices(chosen: string, siteZone: string): { value: string; label: string }[] {
  const own = viewerZone()
  const owners = (zone: string) =>
    [zone === own && 'yours', zone === siteZone && 'the instrument’s'].filter(Boolean).join(' and ')
  return [...new Set([own, siteZone, chosen])].filter(isKnownZone).map((value) => {
    const note = owners(value)
    return { value, label: note === '' ? value : `${value} (${note})` }
  })
}

/** Shows the schedule as a sentence and, for a repeat, the next windows as the server would plan them. */
function WindowPreview({ form, context }: { form: MaintenanceForm; context: FormContext }) {
  const schedule = scheduleOf(form, context)
  const window = firstWindow(form, context)
  const recurring = recurringOf(schedule, context.edited)
  const preview = useQuery(maintenancePreviewQuery(recurring))
  if (schedule === null || window === null) {
    return form.firstDay === null || form.lastDay === null ? <ReadBack>Select a start and an end date.</ReadBack> : null
  }
  return (
    <ReadBack>
      <Text fw={540}>{formSentence(form, { window, ...context })}</Text>
      {recurring !== null && (
        <Group align="flex-start" gap="2px 14px" mt={6} c="dimmed">
          <span>Next windows</span>
          <NextWindows preview={preview} zone={recurring.timeZone} />
        </Group>
      )}
    </ReadBack>
  )
}

function ReadBack({ children }: { children: ReactNode }) {
  return (
    <Box w="100%" p="10px 12px" fz="sm" bg="var(--bw-ground)" style={{ borderRadius: 8 }} role="status">
      {children}
    </Box>
  )
}

/**
 * Returns the repeat to preview; null for a single window, and for an unchanged repeat with a count, because only the
 * server knows how many windows are left.
 */
function recurringOf(schedule: ReturnType<typeof scheduleOf>, edited: Maintenance | null): RecurringWindow | null {
  if (!schedule?.start || !schedule.end || !schedule.rrule || !schedule.timeZone) return null
  const { start, end, rrule, timeZone } = schedule
  const isCounted = edited?.rrule === rrule && edited.start === start && /COUNT/i.test(rrule)
  return isCounted ? null : { start, end, rrule, timeZone }
}

function NextWindows({
  preview,
  zone,
}: {
  preview: UseQueryResult<{ windows: { start: string; end: string }[] }>
  zone: string
}) {
  if (preview.error instanceof ApiError && preview.error.status < 500)
    return <Text c="var(--bw-danger)">{preview.error.message}</Text>
  if (preview.isError)
    return <RetryLine onRetry={() => void preview.refetch()}>Could not get the next windows.</RetryLine>
  if (preview.data === undefined) return <span>…</span>
  return (
    <Box component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
      {preview.data.windows.map(({ start, end }) => (
        <li key={start} title={`${formatTooltipTime(start)} – ${formatTooltipTime(end)}`}>
          {windowLabel({ start, end }, zone)}
        </li>
      ))}
    </Box>
  )
}

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
const WIDE = { gridColumn: '1 / -1' }

/**
 * Fields for how often and until when the window repeats. `firstDay` determines the date or weekday of a monthly
 * repeat.
 */
function RepeatFields(props: {
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
