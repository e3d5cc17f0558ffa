import { Box, Button, Group, SegmentedControl, Text } from '@mantine/core'
import { type SubmitEvent, useId, useState } from 'react'
import {
  daysOf,
  daysProblem,
  type KpiDays,
  type KpiQuestion,
  type KpiSpan,
  kpiSpans,
  utcDay,
} from '../features/kpi/kpi-question.ts'
import { DayField } from '../ui/time/day-field.tsx'

const spanLabels: Record<KpiSpan, string> = { 7: '7 days', 30: '30 days', 90: '90 days', 365: '1 year' }

const typedDays = { value: 'typed', label: 'From – to' }

type Range = KpiQuestion['range']

/** Chooses the days: a preset or a from–to range. Keeps the focus whatever is chosen. */
export function RangeChoice({ range, onChange }: { range: Range; onChange: (range: Range) => void }) {
  const rangeKey = JSON.stringify(range)
  // Stays open until the range changes, by any means.
  const [openedAt, setOpenedAt] = useState<string | null>(null)
  const isTyped = 'from' in range || openedAt === rangeKey
  return (
    <Group align="start" gap={8} w={{ base: '100%', sm: 'auto' }}>
      <SegmentedControl
        aria-label="Days"
        bg="var(--bw-panel)"
        bd="1px solid var(--bw-line-strong)"
        w={{ base: '100%', sm: 'auto' }}
        styles={{
          indicator: { background: 'var(--bw-accent-soft)', boxShadow: 'none' },
          label: { paddingInline: 'clamp(3px, 1.5vw, 12px)', lineHeight: 'calc(var(--bw-control) - 16px)' },
        }}
        value={isTyped ? 'typed' : `${range.days}`}
        data={[...kpiSpans.map((span) => ({ value: `${span}`, label: spanLabels[span] })), typedDays]}
        onChange={(value) => {
          const span = kpiSpans.find((known) => `${known}` === value)
          setOpenedAt(span === undefined ? rangeKey : null)
          if (span !== undefined) onChange({ days: span })
        }}
      />
      {isTyped && (
        <OwnDays
          days={daysOf(range, new Date())}
          onApply={(days) => {
            setOpenedAt(null)
            onChange(days)
          }}
        />
      )}
    </Group>
  )
}

/** Typed dates have no effect until they are applied. */
function OwnDays({ days, onApply }: { days: KpiDays; onApply: (days: KpiDays) => void }) {
  const [edits, setEdits] = useState<Partial<KpiDays>>({})
  const [problem, setProblem] = useState<string | null>(null)
  const problemId = useId()
  const typed = { ...days, ...edits }

  function handleSubmit(event: SubmitEvent) {
    event.preventDefault()
    const found = daysProblem(typed)
    setProblem(found)
    if (found !== null) return
    setEdits({})
    onApply(typed)
  }

  return (
    <Box component="form" w={{ base: '100%', sm: 'auto' }} onSubmit={handleSubmit} noValidate>
      <Group gap="6px 8px">
        {(['from', 'to'] as const).map((end) => (
          <DayField
            key={end}
            label={end === 'from' ? 'From' : 'To'}
            w={{ base: '100%', sm: 176 }}
            styles={{
              root: { display: 'flex', alignItems: 'center', gap: 6 },
              label: { minWidth: 32, margin: 0, color: 'var(--bw-ink-2)' },
              wrapper: { flex: 1 },
            }}
            value={typed[end]}
            max={utcDay(Date.now())}
            error={problem !== null}
            aria-describedby={problem === null ? undefined : problemId}
            onChange={(day) => setEdits({ ...edits, [end]: day })}
          />
        ))}
        <Button type="submit" w={{ base: '100%', sm: 'auto' }}>
          Apply
        </Button>
      </Group>
      {problem !== null && (
        // Takes the width of the line above.
        <Text id={problemId} role="alert" size="xs" c="var(--bw-danger)" w={0} miw="100%">
          {problem}
        </Text>
      )}
    </Box>
  )
}
