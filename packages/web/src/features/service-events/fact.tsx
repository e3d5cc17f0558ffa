import type { ReactNode } from 'react'

/** One name and value of a description list; an empty value shows a dash. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  const isEmpty = children === null || children === undefined || children === '' || children === false
  return (
    <>
      <dt>{name}</dt>
      <dd>{isEmpty ? '–' : children}</dd>
    </>
  )
}
