import { Box, Group, Paper, SimpleGrid, Tabs, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import styles from './card.module.css'
import '@mantine/core/styles/Tabs.layer.css'

/** A panel with an optional title and controls at its end. `flush` removes the padding (for tables). */
export function Card(props: { title?: string; end?: ReactNode; flush?: boolean; children: ReactNode }) {
  const titleId = useId()
  const isTitled = props.title !== undefined
  return (
    <Paper
      component="section"
      withBorder
      shadow="xs"
      miw={0}
      className={styles.card}
      aria-labelledby={isTitled ? titleId : undefined}
    >
      {isTitled && (
        <Group justify="space-between" gap="8px 12px" px={16} pt={13} className={styles.head}>
          <Title order={2} id={titleId} fz="sm">
            {props.title}
          </Title>
          {props.end}
        </Group>
      )}
      {props.flush ? (
        props.children
      ) : (
        <Box px={16} pt={isTitled ? 10 : 15} pb={15}>
          {props.children}
        </Box>
      )}
    </Paper>
  )
}

/** Parts of a card side by side where there is room. */
export function CardColumns({ children }: { children: ReactNode }) {
  return (
    <SimpleGrid minColWidth="min(100%, 300px)" autoFlow="auto-fit" spacing={32} verticalSpacing={10}>
      {children}
    </SimpleGrid>
  )
}

/** A card with tabs; `panel` renders the open one. `end` is shown next to the tabs, e.g. a filter. */
export function TabCard<Value extends string>(props: {
  label: string
  value: Value
  onChange: (value: Value) => void
  tabs: readonly { value: Value; name: ReactNode; panel: () => ReactNode }[]
  end?: ReactNode
}) {
  const { label, tabs } = props
  return (
    <Paper component="section" withBorder shadow="xs" miw={0} className={styles.card} aria-label={label}>
      <Tabs
        value={props.value}
        onChange={(value) => {
          const chosen = tabs.find((tab) => tab.value === value)
          if (chosen !== undefined) props.onChange(chosen.value)
        }}
        keepMounted={false}
        classNames={{ list: styles.tabs, tab: styles.tab }}
      >
        <Group justify="space-between" gap="0 16px" px={16} className={styles.tabHead}>
          <Tabs.List aria-label={label}>
            {tabs.map(({ value, name }) => (
              <Tabs.Tab key={value} value={value} fw={570} fz="sm" lh={1.3} px={0} py={12}>
                {name}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {props.end !== undefined && (
            <Group fz="sm" ml="auto" mih={42} py={6} className={styles.tabEnd}>
              {props.end}
            </Group>
          )}
        </Group>
        {tabs.map(({ value, panel }) => (
          <Tabs.Panel key={value} value={value}>
            {value === props.value && panel()}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Paper>
  )
}
