import { Button } from '@mantine/core'
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import { Card } from '../../ui/card.tsx'
import form from '../../ui/form.module.css'
import styles from './backoffice.module.css'

/** One tool of the back office: what it does, its fields, and the button that does it. The first field that is wrong gets the cursor. */
export function ToolForm(props: {
  title: string
  /** Where the address leads. */
  anchor: string
  intro: ReactNode
  submitLabel: string
  isPending: boolean
  /** How often it was refused. */
  refusals: number
  onSubmit: () => void
  onClear: () => void
  children: ReactNode
  /** What came of it, below the button. */
  outcome?: ReactNode
}) {
  const element = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (props.refusals > 0) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [props.refusals])

  function handleSubmit(submit: FormEvent) {
    submit.preventDefault()
    if (!props.isPending) props.onSubmit()
  }

  return (
    <div className={styles.tool} id={props.anchor} tabIndex={-1}>
      <Card title={props.title}>
        <p className={styles.intro}>{props.intro}</p>
        <form ref={element} noValidate aria-label={props.title} onSubmit={handleSubmit}>
          <div className={form.fields}>{props.children}</div>
          <div className={styles.end}>
            <Button variant="default" disabled={props.isPending} onClick={props.onClear}>
              Clear
            </Button>
            <Button type="submit" loading={props.isPending}>
              {props.submitLabel}
            </Button>
          </div>
        </form>
        {props.outcome}
      </Card>
    </div>
  )
}
