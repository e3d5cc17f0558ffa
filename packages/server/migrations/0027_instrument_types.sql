-- Families of instrument types are the tabs of the instrument list. Both are registry objects; these rows are those of the
-- specification, with gaps between the positions for others.
CREATE TABLE instrument_family (
  key text PRIMARY KEY,
  label text NOT NULL,
  position int NOT NULL
);
CREATE TABLE instrument_type (
  key text PRIMARY KEY,
  label text NOT NULL,
  family text NOT NULL REFERENCES instrument_family
);
GRANT SELECT, INSERT, UPDATE, DELETE ON instrument_family, instrument_type TO benchwatch_app;

INSERT INTO instrument_family (key, label, position) VALUES
  ('WAVE 25', 'WAVE 25/Xuri', 100),
  ('ÄKTA avant', 'ÄKTA avant', 200),
  ('ÄKTA pure', 'ÄKTA pure', 300),
  ('ÄKTA pilot', 'ÄKTA pilot', 400),
  ('ÄKTA oligosynt', 'ÄKTA oligosynt', 500),
  ('ÄKTA go', 'ÄKTA go', 600),
  ('ÄKTA process', 'ÄKTA process', 700),
  ('ÄKTA ready', 'ÄKTA ready', 800),
  ('ÄKTA readyflux', 'ÄKTA readyflux', 900),
  ('UniFlux', 'UniFlux', 1000),
  ('BioProcess IC', 'BioProcess IC', 1100);

INSERT INTO instrument_type (key, label, family) VALUES
  ('Wave25', 'Wave 25/Xuri', 'WAVE 25'),
  ('AKTAAvant', 'ÄKTA avant', 'ÄKTA avant'),
  ('AKTAPure', 'ÄKTA pure', 'ÄKTA pure'),
  ('AKTAPilot', 'ÄKTA pilot', 'ÄKTA pilot'),
  ('AKTAPilot600', 'ÄKTA pilot 600', 'ÄKTA pilot'),
  ('AKTAOligosynt', 'ÄKTA oligosynt', 'ÄKTA oligosynt'),
  ('AKTAGo', 'ÄKTA go', 'ÄKTA go'),
  ('AKTAProcess', 'ÄKTA process', 'ÄKTA process'),
  ('AKTAProcessCFG', 'ÄKTA process CFG', 'ÄKTA process'),
  ('AKTAReady', 'ÄKTA ready', 'ÄKTA ready'),
  ('AKTAReadyXL', 'ÄKTA ready XL', 'ÄKTA ready'),
  ('AKTAReady450', 'ÄKTA ready 450', 'ÄKTA ready'),
  ('AKTAReadyFlux', 'ÄKTA readyflux', 'ÄKTA readyflux'),
  ('AKTAReadyFluxXL', 'ÄKTA readyflux XL', 'ÄKTA readyflux'),
  ('UniFlux', 'UniFlux', 'UniFlux'),
  ('BioProcessIC', 'BioProcess IC', 'BioProcess IC');

-- A type in use can't be deleted, whoever refers to it meanwhile.
ALTER TABLE instrument ADD FOREIGN KEY (type) REFERENCES instrument_type;
ALTER TABLE event_template ADD FOREIGN KEY (instrument_type) REFERENCES instrument_type;
ALTER TABLE support_email_template ADD FOREIGN KEY (instrument_type) REFERENCES instrument_type;
