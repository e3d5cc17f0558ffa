import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './fact.module.css'

/** A list of names and values in a card. */
export function FactList({ children }: { children: ReactNode }) {
  return (
    <div className={styles.room}>
      <dl className={styles.facts}>{children}</dl>
    </div>
  )
}

/** One name and value; a dash for an empty value. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  const isEmpty = children === null || children === undefined || children === '' || children === false
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{isEmpty ? <Dash /> : children}</dd>
    </div>
  )
}

/** A value entered by a user, isolated so that right-to-left text does not reorder its surroundings. */
export function Named({ children }: { children: string | null }) {
  return children === null || children === '' ? <Dash /> : <bdi>{children}</bdi>
}

/** Stands for an empty value; quieter than values, so that a sparse card shows what it has. */
export function Dash() {
  return <span className={styles.dash}>–</span>
}

/** The content of a table cell with a quieter second line, if there is one. */
export function TwoLines({ second, title, children }: { second: ReactNode; title?: string; children: ReactNode }) {
  return (
    <Stack gap={1} align="flex-start" miw={0} title={title} style={{ overflowWrap: 'anywhere' }}>
      <div>{children}</div>
      {second !== false && second !== null && (
        <Text size="xs" c="dimmed">
          {second}
        </Text>
      )}
    </Stack>
  )
}
