import { Tabs } from '@mantine/core'
import '@mantine/core/styles/Tabs.layer.css'
import type { ReactNode } from 'react'
import styles from './tab-card.module.css'

/** A card of which one tab is open; `panel` is drawn while it is. `end` stands beside the tabs: what they are narrowed by. */
export function TabCard<Value extends string>(props: {
  label: string
  value: Value
  onChange: (value: Value) => void
  tabs: readonly { value: Value; name: ReactNode; panel: () => ReactNode }[]
  end?: ReactNode
}) {
  const { label, tabs } = props
  return (
    <section className={styles.card} aria-label={label}>
      <Tabs
        value={props.value}
        onChange={(value) => {
          const chosen = tabs.find((tab) => tab.value === value)
          if (chosen !== undefined) props.onChange(chosen.value)
        }}
        keepMounted={false}
        classNames={{ list: styles.tabs, tab: styles.tab }}
      >
        <div className={styles.head}>
          <Tabs.List aria-label={label}>
            {tabs.map(({ value, name }) => (
              <Tabs.Tab key={value} value={value}>
                {name}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {props.end !== undefined && <div className={styles.end}>{props.end}</div>}
        </div>
        {tabs.map(({ value, panel }) => (
          <Tabs.Panel key={value} value={value}>
            {value === props.value && panel()}
          </Tabs.Panel>
        ))}
      </Tabs>
    </section>
  )
}
