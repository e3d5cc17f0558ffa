import { ActionIcon, Box, Button, Checkbox, Group, VisuallyHidden } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { SegmentedControl } from '../form/segmented-control.tsx'
import { Dropdown } from '../overlay/dropdown.tsx'
import { Chevron } from '../text/chevron.tsx'
import styles from './list.module.css'
import { moveColumn, showColumn } from './list-columns.ts'
import { chooseDensity, useDensity } from './use-density.ts'

interface Choice<Key extends string> {
  model: { all: readonly { key: Key; label: string }[] }
  columns: readonly Key[] | null
  onChange: (columns: readonly Key[] | null) => void
}

const densities = [
  { value: 'comfortable', label: 'Comfortable' },
  { value: 'compact', label: 'Compact' },
] as const

/** Chooses the row height, and the columns of a list and their order; null for the defaults. Changes show at once. */
export function ColumnChooser<Key extends string>(props: Choice<Key>) {
  const isUsual = props.columns === null
  return (
    <Dropdown
      title="Columns"
      label={isUsual ? 'Columns' : 'Columns: customised'}
      icon={<IconColumns3 size={15} stroke={1.7} aria-hidden="true" />}
      className={isUsual ? undefined : styles.chosen}
      align="end"
      width={248}
      isIconOnPhone
      panel={() => <ColumnPanel {...props} />}
    >
      Columns
    </Dropdown>
  )
}

/** A checkbox and two arrows for each column; hidden columns follow in default order. */
function ColumnPanel<Key extends string>({ model, columns, onChange }: Choice<Key>) {
  const usual = model.all.map(({ key }) => key)
  const shown = columns ?? usual
  const density = useDensity()
  const list = useRef<HTMLUListElement>(null)
  const [moved, setMoved] = useState<{ key: Key; step: 1 | -1 } | null>(null)
  const labelOf = (key: Key) => model.all.find((column) => column.key === key)?.label ?? key

  // A row that moves loses the focus on its arrow, so it is given back: at either end to the other arrow. The row
  // moves when the columns come back from the address, which may be later.
  useEffect(() => {
    if (moved === null) return
    const row = list.current?.querySelector(`[data-column="${moved.key}"]`)
    const arrows = [...(row?.querySelectorAll<HTMLButtonElement>('[data-step]') ?? [])].filter((one) => !one.disabled)
    const same = arrows.find((one) => one.dataset['step'] === String(moved.step))
    ;(same ?? arrows[0])?.focus()
  }, [moved, columns])

  function change(next: readonly Key[] | null, step: typeof moved = null) {
    onChange(next)
    setMoved(step)
  }

  return (
    <>
      <Box visibleFrom="lg" mb={4}>
        <SegmentedControl label="Row height" value={density} options={densities} onChange={chooseDensity} />
      </Box>
      <Box
        component="ul"
        ref={list}
        m={0}
        p={0}
        mah={{ base: '70dvh', sm: 'min(58dvh, 520px)' }}
        style={{ overflowY: 'auto', listStyle: 'none' }}
      >
        {[...shown, ...usual.filter((key) => !shown.includes(key))].map((key) => {
          const place = shown.indexOf(key)
          const isShown = place >= 0
          return (
            <Group key={key} component="li" data-column={key} gap={2} wrap="nowrap">
              <Checkbox
                size="xs"
                flex={1}
                p={8}
                label={labelOf(key)}
                checked={isShown}
                disabled={isShown && shown.length === 1}
                onChange={() => change(showColumn(usual, { keys: shown, key, isShown: !isShown }))}
              />
              {isShown &&
                ([-1, 1] as const).map((step) => (
                  <ActionIcon
                    key={step}
                    size="var(--bw-control)"
                    bg="transparent"
                    data-step={step}
                    disabled={step === -1 ? place === 0 : place === shown.length - 1}
                    aria-label={`Move ${labelOf(key)} ${step === -1 ? 'up' : 'down'}`}
                    onClick={() => change(moveColumn(shown, key, step), { key, step })}
                  >
                    <Chevron to={step === -1 ? 'up' : 'down'} />
                  </ActionIcon>
                ))}
            </Group>
          )
        })}
      </Box>
      <VisuallyHidden role="status">
        {moved !== null && `${labelOf(moved.key)} is now column ${shown.indexOf(moved.key) + 1} of ${shown.length}`}
      </VisuallyHidden>
      <Button variant="subtle" fullWidth mt={4} disabled={columns === null} onClick={() => change(null)}>
        Default columns
      </Button>
    </>
  )
}
