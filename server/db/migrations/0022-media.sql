-- Videos: what they are made of, and the picture that stands for them (its bytes lie under thumbnail_key).
alter table asset add column video_codec text;
alter table asset add column audio_codec text;
-- degrees clockwise by which players turn the frames; width and height are those that are shown
alter table asset add column rotation int;
alter table asset add column thumbnail_bytes int;
alter table asset add column thumbnail_width int;
alter table asset add column thumbnail_height int;
-- the moment of the video that it shows; null: a picture of its own
alter table asset add column thumbnail_seconds double precision;
