import { ActionIcon, Box, Button, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { IconArrowsLeftRight, IconClock } from '@tabler/icons-react'
import dayjs from 'dayjs'
import { type FormEvent, memo, useRef, useState } from 'react'
import { startOfDay } from '../../../lib/time/dates.ts'
import { parseTypedDate } from '../../../lib/time/typed-dates.ts'
import { SearchBox } from '../../../ui/list/filters/search-box.tsx'
import { Dropdown } from '../../../ui/overlay/dropdown.tsx'
import { ShortcutButton, type ShortcutGroup, ShortcutSheet } from '../../../ui/overlay/shortcut-sheet.tsx'
import { useShortcuts } from '../../../ui/overlay/use-shortcuts.ts'
import { Chevron } from '../../../ui/text/chevron.tsx'
import { RetryLine } from '../../../ui/text/notice.tsx'
import { pairProblem } from '../log-labels.ts'
import { LogSelect } from '../log-line.tsx'
import { totalLabel } from '../log-pages.ts'
import { SEARCH_LENGTH } from '../logs.api.ts'
import {
  clockDifferenceLabel,
  parseClockDifference,
  readInstant,
  type Side,
  swapped,
  withLogs,
  writeClockDifference,
} from './compare-address.ts'
import type { Comparison } from './use-comparison.ts'

/** Keys of the toolbar, and keys of the browser when the lines have the focus. */
const groups: readonly ShortcutGroup[] = [
  {
    title: 'Two logs',
    shortcuts: [
      { keys: ['/'], does: 'Search both logs' },
      { keys: ['n'], does: 'Next match' },
      { keys: ['N'], does: 'Previous match' },
      { keys: ['e'], does: 'Back to the event' },
    ],
  },
  {
    title: 'Lines',
    shortcuts: [
      { keys: ['↑', '↓'], does: 'Scroll both logs' },
      { keys: ['Page Up', 'Page Down'], does: 'Previous or next screen' },
      { keys: ['Home', 'End'], does: 'First or last loaded line' },
    ],
  },
]

export const sideColors: Record<Side, string> = { first: 'var(--bw-accent)', second: 'var(--bw-progress)' }

/** Toolbar: search and its matches, jump to a moment, back to the event, and the clock difference. */
export function CompareTools({ of: comparison }: { of: Comparison }) {
  const { seek, goToEvent } = comparison
  const searchBox = useRef<HTMLInputElement>(null)
  useShortcuts({
    '/': () => searchBox.current?.focus(),
    ...(seek !== null && { n: () => seek('newer'), N: () => seek('older') }),
    ...(goToEvent !== null && { e: goToEvent }),
    ...(comparison.picking !== null && { Escape: comparison.stopPicking }),
  })
  return (
    <Group gap={8} align="flex-start">
      <Group
        component="form"
        gap={6}
        wrap="nowrap"
        flex={{ base: '1 0 100%', md: '0 1 340px' }}
        maw="100%"
        // Enter goes to the next match once the search was sent; the first Enter sends it.
        onSubmit={(submit: FormEvent) => {
          submit.preventDefault()
          seek?.('newer')
        }}
      >
        <SearchBox
          label="Search both logs"
          shortcut="/"
          maxLength={SEARCH_LENGTH}
          keyword={comparison.address.search}
          inputRef={searchBox}
          onChange={comparison.search}
        />
        {(['older', 'newer'] as const).map((direction) => {
          const [label, key, to] =
            direction === 'newer' ? (['Next match', 'n', 'down'] as const) : (['Previous match', 'N', 'up'] as const)
          return (
            <ActionIcon
              key={direction}
              variant="default"
              size="var(--bw-control)"
              aria-label={label}
              aria-keyshortcuts={key === 'N' ? 'Shift+N' : key}
              title={`${label} (${key})`}
              disabled={seek === null}
              aria-busy={comparison.isSeeking || undefined}
              onClick={() => seek?.(direction)}
            >
              <Chevron to={to} />
            </ActionIcon>
          )
        })}
      </Group>
      <MomentField of={comparison} />
      {goToEvent !== null && (
        <Button
          variant="default"
          aria-keyshortcuts="e"
          aria-label="Back to the event"
          title="Back to the event (e)"
          onClick={goToEvent}
        >
          {comparison.isPhone ? 'Event' : 'Back to the event'}
        </Button>
      )}
      <Group gap={6} ml={{ md: 'auto' }} visibleFrom={comparison.clockName === null ? 'md' : undefined}>
        {comparison.clockName !== null && (
          <Dropdown
            title="Clock difference"
            icon={<IconClock size={15} stroke={1.7} aria-hidden="true" />}
            mark={<Chevron to="down" />}
            align="end"
            width={340}
            panel={(close) => <ClockPanel of={comparison} onDone={close} />}
          >
            Clocks
          </Dropdown>
        )}
        {/* Phones have no keyboard. */}
        <Box visibleFrom="md">
          <ShortcutButton size={34} sheet={(close) => <ShortcutSheet groups={groups} onClose={close} />} />
        </Box>
      </Group>
    </Group>
  )
}

function MomentField({ of: { middle, goTo } }: { of: Comparison }) {
  const [text, setText] = useState('')
  const [isRefused, setRefused] = useState(false)
  return (
    <Box
      component="form"
      flex={{ base: '1 1 130px', md: '0 0 210px' }}
      onSubmit={(submit) => {
        submit.preventDefault()
        const at = parseMoment(text, middle())
        setRefused(at === null && text.trim() !== '')
        if (at === null) return
        setText(writeMoment(at))
        goTo({ at })
      }}
    >
      <TextInput
        aria-label="Go to a time"
        placeholder="Go to 14:02:23"
        error={isRefused && 'Enter a time such as 14:02:23 or 20 Nov 2026 14:02.'}
        errorProps={{ role: 'alert' }}
        value={text}
        maxLength={60}
        rightSectionWidth={42}
        rightSection={
          <Button type="submit" variant="subtle" px={6}>
            Go
          </Button>
        }
        onChange={({ currentTarget }) => {
          setText(currentTarget.value)
          setRefused(false)
        }}
      />
    </Box>
  )
}

/**
 * Reads a moment typed in the user's zone: `14:02` and `14:02:23.120` on the day of `beside`, the same after a date in
 * any form that date fields accept, a date alone, or an ISO instant. Null for anything else.
 */
export function parseMoment(text: string, beside: number): number | null {
  const tidy = text.trim()
  // Not a date alone, which is a day in the user's zone.
  const instant = tidy.includes('T') ? readInstant(tidy) : null
  if (instant !== null) return instant
  const parts = /^(.*?)[\s,@T]*(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d{1,3}))?)?$/.exec(tidy)
  if (parts === null) return parseTypedDate(tidy)?.getTime() ?? null
  const [, date = '', hours = '', minutes = '', seconds = '0', fraction = '0'] = parts
  const day = date === '' ? startOfDay(new Date(beside)) : parseTypedDate(date)
  const [hour, minute, second] = [Number(hours), Number(minutes), Number(seconds)]
  if (day === null || hour > 23 || minute > 59 || second > 59) return null
  // Uses the wall clock: on days with a clock change, hours cannot be counted from midnight.
  return new Date(day).setHours(hour, minute, second, Number(fraction.padEnd(3, '0')))
}

/** Returns `20 Nov 2026 14:02:23`, which `parseMoment` reads back. */
export function writeMoment(at: number): string {
  return dayjs(at).format('D MMM YYYY HH:mm:ss')
}

/** Sets how far one clock is ahead: typed, or from two lines of the same moment. */
function ClockPanel({ of: comparison, onDone }: { of: Comparison; onDone: () => void }) {
  const { clockName: name, compared } = comparison
  const { ahead } = comparison.address
  const [text, setText] = useState(ahead === 0 ? '' : writeClockDifference(ahead))
  const difference = text.trim() === '' ? 0 : parseClockDifference(text)
  const [isRefused, setRefused] = useState(false)

  function change(next: number) {
    comparison.changeClock(next)
    onDone()
  }

  return (
    <form
      onSubmit={(submit) => {
        submit.preventDefault()
        setRefused(difference === null)
        if (difference !== null) change(difference)
      }}
    >
      <Stack gap={8}>
        <Title order={2} fz={14}>
          Clock of {name}
        </Title>
        <Text size="xs" c="dimmed">
          Enter how far it is ahead of the other log’s clock. Its lines are then shown at corrected times.
        </Text>
        <TextInput
          label="Ahead by"
          description="For example 90 or 1:30; negative if behind"
          placeholder="0"
          value={text}
          error={isRefused && difference === null && 'Enter seconds such as 90, or a duration such as -1:30.'}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          styles={{ wrapper: { flex: 1 } }}
          inputContainer={(field) => (
            <Group gap={8} align="flex-start" wrap="nowrap">
              {field}
              <Button type="submit">Correct</Button>
            </Group>
          )}
        />
        <Text size="xs" mih={18} aria-live="polite">
          {difference !== null && difference !== 0 && `${name} is ${clockDifferenceLabel(difference)}.`}
        </Text>
        <Group gap={8}>
          <Button
            variant="default"
            disabled={compared.pair.first === null || compared.pair.second === null}
            onClick={() => {
              onDone()
              comparison.startPicking()
            }}
          >
            Align two lines
          </Button>
          {ahead !== 0 && (
            <Button variant="default" onClick={() => change(0)}>
              Remove correction
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}

/** Head of a column: selects its log, and shows the clock correction and the number of matches. */
export const CompareHead = memo(function CompareHead({ of: comparison, side }: { of: Comparison; side: Side }) {
  const { address, compared, found, available, changeLogs } = comparison
  const log = address[side]
  const other = address[side === 'first' ? 'second' : 'first']
  const ahead = comparison.aheadOf(side)
  const failed = [compared.logs[side], found.logs[side]].find(({ status }) => status === 'failed')
  const matches = found.logs[side].page?.total
  return (
    <Group
      role="columnheader"
      gap="2px 8px"
      px={{ base: 8, md: 12 }}
      py={6}
      mih={46}
      fw={400}
      style={{ alignContent: 'start' }}
    >
      <Box w={{ base: 6, md: 10 }} h={{ base: 26, md: 10 }} bg={sideColors[side]} style={{ borderRadius: 3 }} />
      <LogSelect
        label={side === 'first' ? 'First log' : 'Second log'}
        logs={available.data?.values ?? []}
        chosen={log}
        isDisabled={(choice) => other !== null && pairProblem(choice, other) !== null}
        onChoose={(next) => changeLogs((before) => withLogs(before, { [side]: next }))}
      />
      <Group
        gap="0 12px"
        fz={12}
        c="dimmed"
        w={{ base: '100%', md: 'auto' }}
        style={{ order: comparison.isPhone ? 1 : 0 }}
      >
        {failed && <RetryLine onRetry={() => void failed.query.refetch()}>Could not get logs</RetryLine>}
        {compared.logs[side].page?.lines.length === 0 && <span>No lines in this log</span>}
        {ahead !== 0 && (
          <Text size="xs" fw={600} c="var(--bw-warning)">
            {log?.computerName ? `${log.computerName}: clock` : 'Its clock'} {clockDifferenceLabel(ahead)}, corrected
          </Text>
        )}
        {matches !== undefined && <span>{totalLabel(matches, ['match', 'matches'])}</span>}
      </Group>
      {side === 'second' && (
        <ActionIcon
          ml="auto"
          size="var(--bw-control)"
          aria-label="Swap the two logs"
          title="Swap the two logs"
          disabled={log === null || other === null}
          onClick={() => changeLogs(swapped)}
        >
          <IconArrowsLeftRight size={16} stroke={1.7} aria-hidden="true" />
        </ActionIcon>
      )}
    </Group>
  )
})
