import type { Placeholder } from '@benchwatch/contract/messages/placeholders'
import { Group, SimpleGrid, Text, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { Chevron } from './chevron.tsx'
import styles from './skeleton.module.css'

/** Placeholder for a line of text. `width` in any CSS unit. */
export function SkeletonLine({ width = '100%' }: { width?: string }) {
  return <span className={styles.line} style={{ width }} aria-hidden="true" />
}

/** Lists the placeholders of a template with sample values. A click inserts one. */
export function PlaceholderList({
  placeholders,
  onInsert,
}: {
  placeholders: readonly Placeholder[]
  onInsert: (placeholder: string) => void
}) {
  // Collapsed on a phone, where it would push the form down by two screens.
  const [isOpen] = useState(() => window.matchMedia('(width >= 720px)').matches)
  return (
    <details data-wide className={styles.list} open={isOpen}>
      <Group
        component="summary"
        gap="2px 8px"
        mih="var(--bw-control)"
        px={12}
        py={4}
        fw={570}
        fz="sm"
        className={styles.head}
      >
        <Chevron to="right" className={styles.arrow} />
        Placeholders
        <Text span size="xs" c="dimmed">
          click one to insert it at the cursor
        </Text>
      </Group>
      <SimpleGrid
        component="ul"
        // Two or three are easier to read stacked.
        cols={{ base: 1, 600: placeholders.length > 3 ? 2 : 1 }}
        type="container"
        spacing={1}
        verticalSpacing={1}
        m={0}
        p="0 4px 5px"
        style={{ listStyle: 'none' }}
      >
        {placeholders.map(({ name, label }) => (
          <li key={name}>
            <UnstyledButton
              className={styles.row}
              // Keeps the focus, and so the cursor position, in the field.
              onMouseDown={(press) => press.preventDefault()}
              onClick={() => onInsert(`{${name}}`)}
            >
              <Text span ff="monospace" size="xs" c="var(--bw-accent)">{`{${name}}`}</Text>
              <Text span inherit c="dimmed">
                {label}
              </Text>
            </UnstyledButton>
          </li>
        ))}
      </SimpleGrid>
    </details>
  )
}

/** Progress of `value` out of `max`; indeterminate without a value. */
export function ProgressBar({ label, value, max }: { label: string; value: number | null; max: number }) {
  return <progress className={styles.bar} aria-label={label} max={max} value={value ?? undefined} />
}
