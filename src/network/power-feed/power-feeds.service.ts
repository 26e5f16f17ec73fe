import { RecordService } from '../../records/record-service.js';
import { RackedService } from '../rack/racked.service.js';
import { PowerFeed } from './power-feed.entity.js';

@RecordService(PowerFeed)
export class PowerFeedsService extends RackedService<PowerFeed> {
  protected readonly places = ['siteId'] as const;
}
