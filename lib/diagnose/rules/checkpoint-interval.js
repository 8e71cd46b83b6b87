'use strict';

const { duration } = require('../../model/units');
const { defineRule } = require('../define-rule');

module.exports = defineRule({
  id: 'checkpoint-interval',
  area: 'checkpoint',
  title: 'Whether checkpoints take longer than the time between them',
  why: 'mongod waits syncdelay seconds after the end of a checkpoint before it begins the next. A checkpoint that takes as long as that runs half of the time or more, and the interval no longer sets the pace.',
  needs: ['checkpoint.windowMaxMs', 'config.syncdelaySeconds'],
  threshold: 'Warning when the checkpoint took at least syncdelay seconds (default 60).',
  source: 'MongoDB manual, storage.syncPeriodSecs; docs/evidence/stalls.md',
  advice: 'Have less dirty data per checkpoint or a faster disk; see checkpoint-duration. A shorter interval has no effect while checkpoints are longer than it.',
  whenNot: 'Do not set syncdelay at run time and trust the read-back: 6.0 accepts it, shows it and goes on as before. Set storage.syncPeriodSecs and restart.',
  speaksFor: ['checkpoint'],
  check({ 'checkpoint.windowMaxMs': ms, 'config.syncdelaySeconds': delay }) {
    const evidence = { 'checkpoint.windowMaxMs': ms, 'config.syncdelaySeconds': delay };
    if (delay === 0) return { status: 'info', say: 'No checkpoints are made of the server\'s own accord: syncdelay is 0.', evidence, advice: 'Set storage.syncPeriodSecs to 60 and restart: without checkpoints the journal grows without end.' };
    const say = `A checkpoint took ${duration(ms)}, and the next begins ${duration(delay * 1000)} after its end`;
    return ms >= delay * 1000 ? { status: 'warning', say: `${say}: checkpoints run half of the time or more.`, evidence } : { status: 'ok', say: `${say}.`, evidence };
  },
});
