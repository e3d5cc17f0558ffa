import { connectionTemplateInput } from '@benchwatch/contract/instruments/connections'
import { describe, expect, it } from 'vitest'
import { connectionDraft, connectionInput, connectionProblems } from './connection-templates.tsx'

const draft = { severity: 'low', description: ' {gateway} is off ', userMessage: ' ' } as const

describe('the form of an event about a lost connection', () => {
  it('makes a request that the contract takes as it is, with no message for an empty one', () => {
    const input = connectionInput(draft)
    expect(input).toEqual({ severity: 'low', description: '{gateway} is off', userMessage: null })
    expect(connectionTemplateInput.parse(input)).toEqual(input)
    expect(connectionDraft(input)).toEqual({ ...input, userMessage: '' })
  })

  it('needs a description', () => {
    expect(connectionProblems('EDGE_ISSUE', draft)).toEqual({})
    expect(Object.keys(connectionProblems('OFFLINE', { ...draft, description: ' ' }))).toEqual(['description'])
  })

  it('accepts only placeholders of its own kind of event, and suggests the one that was meant', () => {
    const named = { ...draft, userMessage: 'Look at {instrument}, {Minutes}' }
    expect(connectionProblems('OFFLINE', named)).toEqual({
      userMessage: 'Unknown placeholder: {Minutes}. Did you mean {minutes}?',
    })
    expect(connectionProblems('EDGE_ISSUE', named)).toEqual({
      userMessage: 'Unknown placeholders: {instrument}, {Minutes}. Choose from the list below.',
    })
  })
})
