import { Anchor, Box, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { DataTable } from '../../ui/list/data-table.tsx'
import type { Column } from '../../ui/list/list-columns.ts'
import styles from './notifications.module.css'
import type { Check } from './verdict.ts'

/** Lists every check in order: whether it passes, the profile's values and the event's value. */
export function CheckTable({ label, checks }: { label: string; checks: readonly Check[] }) {
  return (
    <Box className={styles.checks}>
      <DataTable
        label={label}
        columns={columns}
        rows={checks}
        rowKey={({ gate }) => gate}
        isShort
        marksOf={({ result, isDecisive }) => ({ 'data-result': result, 'data-decisive': isDecisive || undefined })}
      />
    </Box>
  )
}

const columns: readonly Column<Check>[] = [
  { key: 'check', label: 'Check', grow: 1.6, cell: (check) => <Result check={check} /> },
  {
    key: 'wanted',
    label: 'Profile selects',
    cell: ({ wanted }) => wanted !== null && <SelectedValues values={wanted} />,
  },
  {
    key: 'found',
    label: 'Found',
    cell: ({ wanted, found }) =>
      found === null ? <Quiet>{wanted === null ? 'Not checked' : 'None'}</Quiet> : <bdi>{found}</bdi>,
  },
]

const results = {
  passes: { label: 'Passes', shape: 'M2 6.4 4.8 9.2 10 3' },
  stops: { label: 'Does not pass', shape: 'M2.6 2.6l6.8 6.8M9.4 2.6 2.6 9.4' },
  // The next cell says 'Not checked'.
  'not-checked': { label: '', shape: 'M2.5 6h7' },
} as const

function Result({ check }: { check: Check }) {
  const { label, shape } = results[check.result]
  return (
    <Group component="span" align="baseline" gap="0 9px">
      <svg viewBox="0 0 12 12" width="12" height="12" style={{ alignSelf: 'center' }} aria-hidden="true">
        <path
          d={shape}
          fill="none"
          stroke="currentColor"
          strokeWidth="1.8"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      <Text span fw={560} flex="1 1 90px">
        {check.label}
      </Text>
      <Text
        span
        size="xs"
        c={check.isDecisive ? 'var(--bw-high-ink)' : 'dimmed'}
        fw={check.isDecisive ? 620 : undefined}
      >
        {check.isDecisive ? 'Decided' : label}
      </Text>
    </Group>
  )
}

/** Further values are hidden; a profile may contain hundreds. */
const FIRST = 3

function SelectedValues({ values }: { values: readonly string[] }) {
  const [showsAll, setShowsAll] = useState(false)
  if (values.length === 0) return <Quiet>Any</Quiet>
  const isCut = values.length > FIRST + 1
  const shown = showsAll || !isCut ? values : values.slice(0, FIRST)
  return (
    <>
      {shown.map((value, index) => (
        <span key={value}>
          {index > 0 && ', '}
          <bdi>{value}</bdi>
        </span>
      ))}
      {isCut && (
        <>
          {' '}
          <Anchor
            component="button"
            type="button"
            inherit
            underline="always"
            py={{ base: 13, md: 4 }}
            my={{ base: -6, md: 0 }}
            aria-expanded={showsAll}
            onClick={() => setShowsAll((shown) => !shown)}
          >
            {showsAll ? 'less' : `and ${values.length - FIRST} more`}
          </Anchor>
        </>
      )}
    </>
  )
}

function Quiet({ children }: { children: string }) {
  return (
    <Text span inherit c="dimmed">
      {children}
    </Text>
  )
}
