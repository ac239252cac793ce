import { expect, it } from 'vitest'
import { readTitle } from './read-title.ts'

it.each([
  '<title>Budget plan</title>',
  "Sure! Here's a title: Budget plan",
  'Okay. Budget plan',
  'Title - Budget plan',
  'Subject: Budget plan',
  '\\boxed{Budget plan}',
  'Budget plan<|im_end|>',
  'The title is: "Budget plan"',
  'The title could be "Budget plan".',
  '[Budget plan]',
  '「Budget plan」',
  '\u6807\u9898\uff1aBudget plan',
  '{"name":"Budget plan"}',
  "{'title': 'Budget plan'}",
  'Suggested Title: Budget plan',
  '```json\n{"title": "Budget plan"}\n```',
])('reads the title of “%s”', (answer) => {
  expect(readTitle(answer)).toBe('Budget plan')
})

it.each([
  'Job title: engineer',
  'OK Corral',
  'Answering machines',
  'Subject matter experts',
  "What's new in C++?",
])('keeps the title “%s”', (title) => {
  expect(readTitle(title)).toBe(title)
})
