# The page, with the networks that ship: docker build -t zerosum . && docker run -p 8080:8080 zerosum
FROM python:3.13-slim
COPY . /source
RUN pip install --no-cache-dir "/source[web]" && rm -r /source
WORKDIR /data
EXPOSE 8080
CMD ["zerosum", "web", "--host", "0.0.0.0", "--no-browser"]
