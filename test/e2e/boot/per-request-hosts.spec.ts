import { Injectable, Scope } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { from } from '../../../lib/index.js';
import { boot, closeAll } from '../../support/apps.js';
import { faultsOf, hostWith } from '../../support/faulty.js';

class Absent {}

@Injectable()
class Mirror {
  async read(): Promise<string> {
    return 'mirror';
  }
}

@Injectable({ scope: Scope.REQUEST })
class PerRequest {
  async read(): Promise<string> {
    return 'per request';
  }
}

/** There is no instance to look at while the application starts; what is wrong is known all the same. */
describe.each([
  ['request-scoped', Scope.REQUEST],
  ['transient', Scope.TRANSIENT],
])('faults of a %s provider', (_name, scope) => {
  afterEach(closeAll);

  const start = (candidate: unknown, ...providers: Type[]) => {
    const Host = hostWith({ candidates: [candidate] });
    Injectable({ scope })(Host);
    return boot({ providers: [Host, ...providers] });
  };

  it.each([
    ['a method that does not exist', 'nothing', /'nothing'/],
    ['a provider that is nowhere', from(Absent as never, 'read' as never), /Absent.*(provide|import)/],
    ['a token that is nowhere', from('ABSENT', 'read'), /ABSENT.*(provide|import)/],
    ["a provider's method that does not exist", from(Mirror, 'nothing' as never), /Mirror.*'nothing'/],
    ['a provider that is no FallbackCandidate', from(Mirror as never), /Mirror.*run/],
    ["a request-scoped provider's method", from(PerRequest, 'nothing' as never), /PerRequest.*'nothing'/],
  ])('%s', async (_what, candidate, message) => {
    const faults = await faultsOf(() => start(candidate, Mirror, PerRequest));
    expect(faults).toEqual([{ where: 'Host.read', option: 'candidates[0]', message: expect.stringMatching(message) }]);
  });

  it('candidates that exist are no fault', async () => {
    for (const candidate of ['backup', from(Mirror, 'read'), from(PerRequest, 'read')]) {
      expect(await start(candidate, Mirror, PerRequest)).toBeDefined();
    }
  });
});
