export interface Place {
  city: string;
  street?: string;
  lat: number;
  lon: number;
}

/** What a geocoder found. */
export interface Geocoding {
  places: readonly Place[];
  /** present and true: only the city was to be had */
  degraded?: boolean;
}
