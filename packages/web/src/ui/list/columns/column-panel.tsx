import { ActionIcon } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { Chevron } from '../../text/chevron.tsx'
import { type ColumnModel, moveColumn, showColumn, usualKeys } from './column-model.ts'
import styles from './column-panel.module.css'

interface Move {
  key: string
  step: 1 | -1
}

/** A checkbox and two arrows for each column; hidden columns follow in default order. */
export function ColumnPanel(props: {
  model: ColumnModel<string, string>
  columns: readonly string[] | null
  onChange: (columns: readonly string[] | null) => void
}) {
  const usual = usualKeys(props.model)
  const shown = props.columns ?? usual
  const hidden = usual.filter((key) => !shown.includes(key))
  const list = useRef<HTMLUListElement>(null)
  const [moved, setMoved] = useState<Move | null>(null)
  const labelOf = (key: string) => props.model.all.find((column) => column.key === key)?.label ?? key

  // A row that moves loses the focus on its arrow, so it is given back: at either end to the other arrow. The row
  // moves when the columns come back from the address, which may be later.
  useEffect(() => {
    if (moved === null) return
    const row = list.current?.querySelector(`[data-column="${moved.key}"]`)
    const arrows = [...(row?.querySelectorAll<HTMLButtonElement>('[data-step]') ?? [])].filter((one) => !one.disabled)
    const same = arrows.find((one) => one.dataset['step'] === String(moved.step))
    ;(same ?? arrows[0])?.focus()
  }, [moved, props.columns])

  function move(key: string, step: 1 | -1) {
    props.onChange(moveColumn(shown, key, step))
    setMoved({ key, step })
  }

  return (
    <>
      <ul className={styles.list} ref={list}>
        {[...shown, ...hidden].map((key) => {
          const place = shown.indexOf(key)
          const isShown = place >= 0
          return (
            <li key={key} data-column={key} className={styles.row} data-hidden={!isShown || undefined}>
              <label className={styles.label}>
                <input
                  type="checkbox"
                  checked={isShown}
                  disabled={isShown && shown.length === 1}
                  onChange={() => {
                    setMoved(null)
                    props.onChange(showColumn(usual, { keys: shown, key, isShown: !isShown }))
                  }}
                />
                {labelOf(key)}
              </label>
              {isShown && (
                <>
                  <Arrow label={labelOf(key)} step={-1} isAtEnd={place === 0} onMove={() => move(key, -1)} />
                  <Arrow
                    label={labelOf(key)}
                    step={1}
                    isAtEnd={place === shown.length - 1}
                    onMove={() => move(key, 1)}
                  />
                </>
              )}
            </li>
          )
        })}
      </ul>
      <p className={styles.said} role="status">
        {moved !== null && `${labelOf(moved.key)} is now column ${shown.indexOf(moved.key) + 1} of ${shown.length}`}
      </p>
      <button
        type="button"
        className={styles.reset}
        disabled={props.columns === null}
        onClick={() => {
          setMoved(null)
          props.onChange(null)
        }}
      >
        Default columns
      </button>
    </>
  )
}

function Arrow(props: { label: string; step: 1 | -1; isAtEnd: boolean; onMove: () => void }) {
  const isUp = props.step === -1
  return (
    <ActionIcon
      size={26}
      data-step={props.step}
      disabled={props.isAtEnd}
      aria-label={`Move ${props.label} ${isUp ? 'up' : 'down'}`}
      onClick={props.onMove}
    >
      <Chevron to={isUp ? 'up' : 'down'} />
    </ActionIcon>
  )
}
