import type * as v from 'valibot'
import { consoleSettings } from './declared/console.ts'
import { distributorSettings } from './declared/distributor.ts'
import { leadSettings } from './declared/leads.ts'
import { lookupSettings } from './declared/lookups.ts'
import { operatorSettings } from './declared/operator.ts'
import { processSettings } from './declared/process.ts'
import type { Setting } from './declared/setting.ts'
import { singleSignOnSettings } from './declared/single-sign-on.ts'
import { siteSettings } from './declared/site.ts'

/** By what they are about, in the order in which an operator meets them. */
export const settingGroups = {
  'The process': processSettings,
  'The site': siteSettings,
  'The console': consoleSettings,
  'Single sign-on for the console': singleSignOnSettings,
  'Who runs it': operatorSettings,
  'The leads': leadSettings,
  'The distributor': distributorSettings,
  'Lookups and pixels': lookupSettings,
} as const

/** Every name of the environment that is read. Nothing else reads the environment. */
export const declared = {
  ...processSettings,
  ...siteSettings,
  ...consoleSettings,
  ...singleSignOnSettings,
  ...operatorSettings,
  ...leadSettings,
  ...distributorSettings,
  ...lookupSettings,
} as const

type Declared = typeof declared

export type SettingName = keyof Declared

/** What is read of each: undefined only where nothing stands for one that is not set. */
export type Environment = {
  readonly [Name in SettingName]:
    | v.InferOutput<Declared[Name]['rule']>
    | (Declared[Name] extends { readonly byDefault: string } | { readonly inDemo: string }
        ? never
        : undefined)
}

export const settingNames = Object.keys(declared) as readonly SettingName[]

export const declarationOf = (name: SettingName): Setting => declared[name]
