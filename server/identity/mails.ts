import { CODE } from '#contract/constants.ts'
import { mail } from '../mail/template.ts'
import type { Mail } from '../mail/mailer.ts'

export const RESET_HOURS = 1

export function codeMail(to: string, firstName: string, code: string): Mail {
  return mail(to, `${code} is your Rookery code`, [
    greeting(firstName),
    'Enter this code to confirm your email address:',
    { code },
    `It is valid for ${CODE.minutes} minutes. If you did not ask for it, ignore this mail: nothing happens without the code.`,
  ])
}

export function resetMail(to: string, firstName: string, link: string): Mail {
  return mail(to, 'Set a new password for Rookery', [
    greeting(firstName),
    'Somebody, hopefully you, asked to set a new password. This link does it, once, within the hour:',
    { link, label: 'Set a new password' },
    'If it was not you, ignore this mail: your password stays as it is.',
  ])
}

/** After a confirmation by somebody of whom nobody knows whether the account's password is theirs. */
export function firstPasswordMail(to: string, firstName: string, link: string): Mail {
  return mail(to, 'Set your password for Rookery', [
    greeting(firstName),
    'Your email address is confirmed. It was confirmed from another browser than the one that signed up, so that we cannot know who chose the password. Please choose it anew. This link does it, once, within the hour:',
    { link, label: 'Set your password' },
    `Later on, ask for a new link under "Forgot password?" on the login page.`,
  ])
}

export function passwordChangedMail(to: string, firstName: string, publicUrl: string): Mail {
  return mail(to, 'Your Rookery password was changed', [
    greeting(firstName),
    'The password of your account was changed, and its other sessions were ended.',
    'If it was not you, set a new one now:',
    { link: `${publicUrl}/login`, label: 'Go to login' },
  ])
}

const greeting = (firstName: string) => (firstName ? `Hello ${firstName},` : 'Hello,')
